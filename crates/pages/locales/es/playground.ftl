
## Playground
play-title = Campo de pruebas
play-lead = Cada flujo de OAuth, una petición tras otra. Todo es real: su navegador pregunta, este servidor responde, y usted ve ambas cosas.
play-who = Inicie sesión como `{ $user }` con la contraseña que el servidor mostró en su primer arranque. Esta página hace de `{ $app }`, una aplicación sin secreto: un navegador no puede guardar ninguno.
play-reset = Empezar de nuevo
play-nav = Flujos
play-tab-pkce = Entrar con PKCE
play-tab-refresh = Renovar
play-tab-revoke = Salir
play-tab-device = Dispositivo
play-tab-service = Servicio
play-what-if = ¿Y si …
play-need = Todavía no hay tokens, o ya no valen. Consiga primero algunos:

## Playground: code with PKCE
play-pkce-text = Usted inicia sesión aquí y da su acuerdo, y la aplicación se va con tokens sin ver nunca su contraseña. PKCE asegura que solo puede terminar la aplicación que empezó: empieza con un resumen y termina con el secreto que hay detrás.
play-make = Un secreto para este intento
play-make-text = La aplicación inventa un secreto y calcula su resumen. El resumen sale primero, y cualquiera puede verlo. El secreto va al final, y solo al servidor.
play-verifier = El secreto: 32 bytes al azar en base64url. Por ahora se queda en esta pestaña.
play-hash = El resumen del secreto, byte a byte. Nadie puede volver de aquí al secreto.
play-challenge = Los mismos bytes en base64url, sin relleno. Esto es lo que sale.
play-state = Al azar. Debe volver tal cual: una respuesta con otro no se pidió aquí.
play-nonce = Al azar. Vuelve dentro del id_token, para que nadie pueda colar uno más antiguo.
play-make-again = Valores nuevos
play-go = Enviar el navegador al servidor
play-go-text = La aplicación envía el navegador a esta dirección. No ve lo que usted hace allí.
play-p-response-type = La aplicación quiere un código, no tokens: otros pueden ver lo que hay en una dirección.
play-p-client-id = Qué aplicación pregunta.
play-p-redirect-uri = Adónde vuelve el navegador. Debe ser igual a una dirección registrada, letra por letra.
play-p-scope = Lo que pide la aplicación. Usted lo ve en palabras sencillas y puede negarse.
play-p-state = Vuelve sin cambios.
play-p-nonce = Vuelve dentro del id_token.
play-p-challenge = El resumen del paso 1.
play-p-method = El desafío es un resumen SHA-256. No se acepta nada más débil.
play-whole = La dirección completa
play-go-button = Iniciar sesión y volver
play-if-no-pkce = … no hay desafío?
play-back = Volver con un código
play-back-wait = Todavía no ha vuelto nada. Haga primero el paso 2.
play-back-text = El código llegó en la dirección, y esta página lo quitó de allí enseguida, para que no quede en el historial. Sirve una vez, durante un minuto como mucho, y solo junto con el secreto.
play-trade = Cambiar el código por tokens
play-trade-text = Ahora se muestra el secreto. El servidor calcula su resumen y lo compara con el desafío del paso 2. Quien interceptó el código por el camino no tiene el secreto.
play-trade-button = Cambiar el código
play-if-verifier = … el secreto es falso?
play-if-missing = … no se envía ningún secreto?
play-if-redirect = … la URI de redirección es otra?
play-if-twice = … el código se usa dos veces?
play-id = Comprobar el id_token
play-id-text = El id_token dice a la aplicación quién ha iniciado sesión. Cualquiera puede leerlo, y cualquiera podría escribir uno; por eso una aplicación solo lo cree después de estas comprobaciones.
play-id-button = Comprobar
play-use = Usar el token de acceso
play-use-text = Va en la cabecera `Authorization`, y nunca en una dirección.
play-use-button = Preguntar quién soy

## Playground: refresh
play-refresh-text = Un token de acceso vive unos minutos. El token de renovación trae el siguiente sin volver a preguntarle, y él mismo se sustituye cada vez.
play-rotate = Obtener los siguientes tokens
play-rotate-text = Una petición, dos tokens nuevos. El token de renovación enviado deja de valer desde ahora.
play-rotate-button = Renovar
play-old = Usado, ya no vale
play-new = En su lugar
play-reuse = Presentar el antiguo otra vez
play-reuse-text = Si un token de renovación llega dos veces, lo tienen dos, y el servidor no puede saber cuál de ellos es el ladrón. Por eso termina toda la sesión, por tarde que llegue el segundo uso.
play-reuse-button = Presentar el antiguo
play-keep = Dónde guarda sus tokens una aplicación de verdad
play-keep-text = Esta página los tiene en memoria y en el `sessionStorage` de esta pestaña, para que no se pierdan al recargar. Cualquier script de la página podría leerlos allí. Una aplicación de verdad guarda el token de acceso en memoria y el token de renovación en una cookie `HttpOnly`, que ningún script puede leer.

## Playground: sign out
play-revoke-text = Salir de una aplicación y salir de este servidor son dos cosas.
play-revoke = Salir de la aplicación
play-revoke-does = La aplicación devuelve su token de renovación. Con él termina toda la sesión: el token de acceso muere enseguida, aunque su tiempo no haya pasado.
play-revoke-button = Revocar
play-leave = Salir de este servidor
play-leave-text = Aquí su sesión sigue abierta, y la próxima aplicación no preguntaría por su contraseña. Solo usted le pone fin.

## Playground: device
play-device-text = Un televisor no tiene un buen teclado, y una terminal no tiene navegador. Muestra un código corto, usted lo escribe en su teléfono, y mientras tanto el dispositivo pregunta si usted ha dado su acuerdo.
play-device-ask = El dispositivo pide un código
play-device-ask-text = Dice quién es y qué quiere. Todavía no interviene nadie.
play-device-ask-button = Pedir un código
play-device-enter = Usted escribe el código
play-device-enter-text = Abra la dirección en cualquier dispositivo, inicie sesión, compare el código y dé su acuerdo. Aquí basta una pestaña nueva.
play-device-address = Dirección
play-device-code = Código
play-device-open = Abrir en una pestaña nueva
play-device-qr = Código QR de esta dirección
play-device-poll = El dispositivo espera
play-device-poll-text = Pregunta una y otra vez, y no más deprisa de lo que se le dijo.
play-device-interval = Segundos entre dos peticiones
play-device-hurry = Preguntar demasiado pronto
play-device-stop = Dejar de preguntar

## Playground: service
play-service-text = Un servicio actúa por sí mismo: sin persona, sin navegador, una petición con un secreto propio. Un secreto no debe estar en un navegador, donde cualquiera puede leerlo. Esta es la orden para una terminal:
play-service-run = Probarlo aquí, solo esta vez
play-service-run-text = Pegue el secreto de `{ $service }`, que el servidor mostró en su primer arranque. Solo va a este servidor y no se guarda en ninguna parte: al recargar se olvida.
play-service-secret = Secreto del cliente
play-service-button = Pedir un token
play-introspect = Preguntar qué vale un token
play-introspect-text = Un servicio que recibe un token pregunta por él al servidor. Un token muerto, uno inventado y uno que no le incumbe reciben la misma respuesta: no activo.
play-introspect-token = Token
play-introspect-button = Consultar

## Playground: without JavaScript
play-noscript = Esta página muestra las peticiones mientras ocurren, y para ello necesita JavaScript. Ninguna otra página de aquí lo necesita. Con una terminal, lo mismo se hace así:
play-curl-open = Mostrar la dirección, abrirla aquí y copiar después el código de la barra de direcciones

## Playground: words that its script shows
play-w-request = Petición
play-w-answer = Respuesta
play-w-curl = Lo mismo con curl
play-w-type = Qué significa este error
play-w-header = Cabecera
play-w-payload = Contenido
play-w-network = El servidor no respondió. Compruebe que sigue en marcha y vuelva a intentarlo.
play-w-crypto = Este navegador solo calcula resúmenes con HTTPS y en localhost. Abra la página en una dirección así.
play-w-error = El navegador volvió con un error en lugar de un código.
play-w-state-ok = El state es el que se envió.
play-w-state-bad = El state no es el que se envió. Una aplicación se detiene aquí.
play-w-iss-ok = La respuesta viene de este emisor.
play-w-iss-bad = La respuesta viene de otro emisor. Una aplicación se detiene aquí.
play-w-signature-ok = La firma corresponde a una clave que el servidor publica.
play-w-signature-bad = La firma no corresponde a ninguna clave que el servidor publica.
play-w-issuer-ok = Lo emitió este servidor.
play-w-issuer-bad = Lo emitió otro.
play-w-audience-ok = Es para esta aplicación.
play-w-audience-bad = Es para otra aplicación.
play-w-time-ok = No ha caducado.
play-w-time-bad = Ha caducado.
play-w-nonce-ok = El nonce es el del paso 1.
play-w-nonce-bad = El nonce no es el del paso 1.
play-w-at-hash-ok = Pertenece a este token de acceso: at_hash coincide.
play-w-at-hash-bad = Pertenece a otro token de acceso: at_hash no coincide.
play-w-why-no-pkce = PKCE se exige a toda aplicación: una petición sin desafío termina antes de que nadie tenga que iniciar sesión.
play-w-why-verifier = El resumen de este secreto no es el desafío, así que no hay tokens. El código sigue valiendo: quien no tiene el secreto ni siquiera puede gastarlo.
play-w-why-missing = Sin el secreto no se sigue adelante. El código sigue valiendo.
play-w-why-redirect = El código se envió a otra dirección que esta. El código sigue valiendo.
play-w-why-twice = Un código sirve una vez. Si llega dos veces, alguien más lo tiene, y todo lo que trajo el primer uso también ha muerto: vea abajo la respuesta al token de acceso.
play-w-why-reuse = El token de renovación antiguo llegó por segunda vez. La sesión ha terminado, y con ella los tokens más nuevos: vea abajo la respuesta al token de acceso.
play-w-why-dead = El token de acceso murió enseguida, aunque su tiempo no había pasado.
play-w-why-revoked = Revocado. Un token que nadie conoce recibe la misma respuesta.
play-w-device-absent = Este servidor no ofrece el flujo para dispositivos.
play-w-device-waiting = Todavía no ha decidido nadie.
play-w-device-slower = Demasiado deprisa. Desde ahora el dispositivo espera cinco segundos más.
play-w-device-approved = Permitido. El dispositivo tiene sus tokens.
play-w-device-denied = Denegado. El dispositivo no recibe nada.
play-w-device-expired = El código ha caducado. El dispositivo debe pedir uno nuevo.
