
## Docs
docs-eyebrow = Referencia de la API
docs-address = Dirección
docs-machines = Para programas
docs-contents = En esta página

## Docs: try it
docs-try-title = Probar
docs-try-text = Inicie sesión y podrá enviar cada operación desde esta página. El token queda en la memoria de esta página: al recargarla se olvida.
docs-elsewhere = Esta página se abrió con otro nombre del servidor. Puede iniciar sesión en
docs-signed = Sesión iniciada
docs-forget = Devolver el token
docs-demonstration = Esto es una demostración. Inicie sesión como `{ $user }` con la contraseña que el servidor mostró en su primer arranque.
docs-client = ID de cliente
docs-client-hint = Un cliente público registrado para esta página.
docs-scopes = Permisos (scopes)
docs-sign-in = Iniciar sesión
docs-register = Registrar un cliente para esta página
docs-register-text = Quien opera este servidor ejecuta esto una vez y le dice el ID de cliente.
docs-paste = Usar un token que ya tiene
docs-paste-token = Token de acceso
docs-paste-use = Usarlo

## Docs: get a token
docs-token = Obtener un token
docs-token-text = Cada petición lleva `Authorization: Bearer` y un token de acceso de este servidor. Un servicio que habla por sí mismo lo obtiene en dos pasos.
docs-step-register = Registrar el servicio
docs-step-ask = Pedir un token
docs-token-people = Una aplicación que usan personas las envía a `/authorize`, con PKCE.
docs-metadata = Todos los puntos de acceso
docs-scope = Scope
docs-allows = Qué permite

## Docs: reference
docs-conventions = Lo que siempre vale
docs-owned = Un usuario ve lo que se creó en su nombre. Un cliente que habla por sí mismo lo ve todo.
docs-field = Campo
docs-type = Tipo
docs-holds = Qué vale
docs-required = obligatorio
docs-read-only = solo lectura
docs-unique = único
docs-default = por defecto
docs-filter = filtrable
docs-sort = ordenable
docs-search = buscable
docs-references = remite a { $resource }
docs-under = También bajo `{ $address }`
docs-operations = Operaciones
docs-needs = Necesita el scope `{ $scope }`
docs-needs-none = Basta cualquier token válido
docs-try = Probar
docs-parameters = Parámetros
docs-body = Cuerpo
docs-curl = Desde una terminal
docs-answers = Respuestas

## Docs: what the script says
docs-w-path = Ruta
docs-w-query = Consulta
docs-w-header = Cabeceras
docs-w-body = Cuerpo
docs-w-media-type = Tipo de medio
docs-w-json = JSON
docs-w-any = – cualquiera –
docs-w-compare = Comparación de
docs-w-send = Enviar
docs-w-answer = Respuesta
docs-w-headers = Cabeceras de la respuesta
docs-w-curl = Lo mismo desde una terminal
docs-w-explained = Qué significa
docs-w-empty = La respuesta no tiene cuerpo.
docs-w-use-id = Usar este id en los formularios de
docs-w-used-id = Ya está en los formularios
docs-w-network = El servidor no respondió. Compruebe la conexión e inténtelo de nuevo.
docs-w-no-token = Todavía no hay token: la respuesta será 401.
docs-w-sign-in = Iniciar sesión
docs-w-who = Sesión iniciada
docs-w-who-none = Sin sesión
docs-w-until = hasta las
docs-w-state = El navegador volvió con una respuesta que esta página no había pedido. No se hizo nada con ella; inicie sesión de nuevo.
docs-w-refused = No se pudo iniciar sesión:
docs-w-crypto = Este navegador no calcula resúmenes en una página sin HTTPS. Abra la página con HTTPS o como localhost, o use un token que ya tenga.

# Versiones
docs-versions = Versiones
docs-versions-text = Indique cuál en la ruta, como `/api/v1`, en `X-API-Version` o como parámetro de `Accept`. Sin indicación, es la más reciente.
docs-version = Versión { $number }
docs-released = desde { $day }
docs-sunset = fin previsto { $day }
docs-removed = retirada desde { $day }
docs-state-planned = prevista
docs-state-active = activa
docs-state-deprecated = obsoleta
docs-state-sunset = en retirada
docs-state-removed = retirada
docs-ends = Esta versión está obsoleta desde { $since }. Su fin previsto es { $sunset }. Use la versión { $newest }.
docs-ending = Esta versión ha superado su fin previsto y se retira el { $removed }. Use la versión { $newest }.
docs-ended = Esta versión ha superado su fin previsto. Use la versión { $newest }.
docs-successor = Ir a ella
docs-change-renamed = `{ $place }`: `{ $from }` se llama ahora `{ $to }`.
docs-change-retyped = `{ $place }` es ahora { $to }; antes, { $from }.
docs-change-added = `{ $place }` es nuevo.
docs-change-removed = `{ $place }` ya no existe.
docs-change-reworded = `{ $place }`: la palabra `{ $from }` es ahora `{ $to }`.
docs-change-moved = `{ $place }`: `{ $from }` está ahora en `{ $to }`.
docs-change-status = `{ $place }` responde con { $to }; antes, { $from }.
