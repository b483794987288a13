# Español.

## Every page
skip = Ir al contenido
footnote = Ofrecido por { $brand }
account = Su cuenta
sign-in = Iniciar sesión
sign-out = Cerrar sesión
signed-in-as = Sesión iniciada como { $user }
not-you = ¿No es usted?
use-another-account = Usar otra cuenta
username = Nombre de usuario
password = Contraseña
wait-seconds = { $count ->
    [one] { $count } segundo
   *[other] { $count } segundos
}
wait-minutes = { $count ->
    [one] { $count } minuto
   *[other] { $count } minutos
}

## Dates
month-1 = enero
month-2 = febrero
month-3 = marzo
month-4 = abril
month-5 = mayo
month-6 = junio
month-7 = julio
month-8 = agosto
month-9 = septiembre
month-10 = octubre
month-11 = noviembre
month-12 = diciembre
day = { $date } de { $month } de { $year }
moment = { $day }, { $time } UTC

## Sign in
sign-in-title = Iniciar sesión
sign-in-to-client = para continuar a { $client }
sign-in-to-brand = en su cuenta de { $brand }
sign-in-wrong = El nombre de usuario o la contraseña no son correctos. Compruebe ambos e inténtelo de nuevo.
sign-in-throttled = Demasiados intentos. Espere { $wait } e inténtelo de nuevo.
sign-in-expired = Esta página estuvo abierta demasiado tiempo y no se envió nada. Inicie sesión de nuevo.
sign-in-other-account = La aplicación espera otra cuenta. Inicie sesión con esa cuenta o vuelva a la aplicación.
sign-in-with = Iniciar sesión con { $provider }
sign-in-or = o
sign-in-denied = { $provider } no le dejó entrar, o usted canceló allí. Inténtelo de nuevo o inicie sesión de otra forma.
sign-in-failed = No se pudo iniciar sesión con { $provider }. Inténtelo de nuevo. Si sigue así, avise a quienes llevan este servidor.
sign-in-unreachable = No se puede llegar a { $provider } en este momento. Inténtelo de nuevo pronto o inicie sesión de otra forma.
sign-in-not-fresh = La aplicación pide un inicio de sesión nuevo, y { $provider } no se lo pidió. Cierre la sesión allí e inténtelo de nuevo.
sign-in-no-account = Ninguna cuenta de aquí corresponde a la que tiene en { $provider }. Inicie sesión de otra forma o pregunte a quienes llevan este servidor.

## Signed in
signed-in-title = Ha iniciado sesión
signed-in-text = Puede cerrar esta página o consultar su cuenta.

## Consent
consent-title = ¿Permitir que { $client } use su cuenta?
consent-first = Esta aplicación no ha tenido acceso hasta ahora.
consent-more = Esta aplicación ya tiene acceso y ahora pide más. Lo nuevo está marcado.
consent-again = Ya lo permitió antes. La aplicación le pide que lo confirme.
consent-list = Pide permiso para:
consent-nothing = La aplicación solo quiere saber que ha iniciado sesión.
consent-new = Nuevo
consent-sensitive = Sensible
consent-host = Se le llevará a { $host }. Continúe solo si conoce esta dirección y confía en ella.
consent-app = Volverá a una aplicación de este dispositivo. Continúe solo si la abrió usted.
consent-approve = Permitir
consent-deny = Rechazar
consent-take-back = Puede retirar este permiso en cualquier momento:
scope-openid = Saber quién es usted, por un identificador de su cuenta
scope-profile = Ver su perfil, como su nombre y su foto
scope-email = Ver su correo electrónico
scope-address = Ver su dirección postal
scope-phone = Ver su número de teléfono
scope-offline_access = Conservar este acceso mientras no usa la aplicación
scope-unknown = Usar el permiso «{ $scope }»

## Sign out
sign-out-title = ¿Cerrar sesión?
sign-out-asked = { $client } pide cerrar su sesión.
sign-out-text = Se cerrará su sesión en este navegador. Su cuenta muestra qué aplicaciones conservan su acceso.
sign-out-stay = Mantener la sesión
signed-out-title = Ha cerrado la sesión
signed-out-text = Si otras personas usan este dispositivo, cierre también todas las ventanas del navegador.
signed-out-again = Iniciar sesión de nuevo

## Return to the client
form-post-title = De vuelta a la aplicación
form-post-text = Su navegador le lleva de vuelta a { $host }. Si no ocurre nada, pulse el botón.
form-post-button = Continuar

## Devices
device-title = Conectar un dispositivo
device-text = Introduzca el código que muestra su dispositivo.
device-compare = Un enlace trajo este código. Continúe solo si su dispositivo muestra el mismo.
device-code = Código
device-hint = En mayúsculas o minúsculas, con o sin guion.
device-continue = Continuar
device-unknown = Este código no se conoce o ha caducado. Compruébelo o pida uno nuevo a su dispositivo.
device-throttled = Demasiados intentos. Espere { $wait } e inténtelo de nuevo.
device-expired = Esta página estuvo abierta demasiado tiempo y no se envió nada. Introduzca el código de nuevo.
device-confirm-title = ¿Conectar { $client } a su cuenta?
device-confirm-code = Su dispositivo debe mostrar este código
device-confirm-from = La petición vino de
device-confirm-agent = El dispositivo se identifica como
device-confirm-when = Lo pidió el
device-confirm-warning = Continúe solo si empezó esto usted y tiene el dispositivo delante. Si alguien le envió este código, rechácelo.
device-done-title = Su dispositivo está conectado
device-done-text = { $client } tiene ahora el acceso que usted permitió. Vuelva a su dispositivo; puede cerrar esta página.
device-denied-title = El dispositivo no se conectó
device-denied-text = { $client } no tiene acceso. Puede cerrar esta página.

## Account
account-title = Su cuenta
account-alerts = Lo que debe saber
account-apps = Aplicaciones con acceso
account-apps-none = Ninguna aplicación tiene acceso a su cuenta.
account-since = Desde el { $day }
account-last-used = último uso { $moment }
account-withdraw = Retirar acceso
account-withdraw-of = Retirar acceso de { $client }
account-end-session = Terminar
account-end-session-of = Terminar { $client } en { $agent }
account-unknown-agent = Dispositivo desconocido
account-agent-on = { $browser } en { $system }
account-sign-ins = Dónde ha iniciado sesión
account-sign-ins-text = ¿No reconoce alguna? Ciérrela y cambie su contraseña.
account-sign-ins-more = Estas son las más recientes. Hay más, y «Cerrar las demás sesiones» también las termina.
account-current = Este navegador
account-from = desde { $address }, { $moment }
account-end = Cerrar sesión
account-end-of = Cerrar sesión de { $agent }
account-end-all = Cerrar las demás sesiones
account-links = Otras formas de iniciar sesión
account-unlink = Quitar
account-unlink-of = Quitar { $provider }
account-password = Cambiar la contraseña
account-password-current = Contraseña actual
account-password-new = Contraseña nueva
account-password-again = Contraseña nueva, otra vez
account-password-hint = { $count ->
    [one] Al menos { $count } carácter. Van bien unas palabras que solo usted juntaría.
   *[other] Al menos { $count } caracteres. Van bien unas palabras que solo usted juntaría.
}
account-password-save = Cambiar contraseña
account-password-wrong = La contraseña actual no es correcta.
account-password-differ = Las dos contraseñas nuevas no son iguales.
account-password-weak = Esta contraseña es demasiado corta o fácil de adivinar. Elija otra.
account-notice-password = Su contraseña ha cambiado.
account-notice-withdrawn = La aplicación ya no tiene acceso.
account-notice-session-ended = La aplicación ya no está conectada allí. Puede volver a pedir acceso.
account-notice-ended = Sesión cerrada allí.
account-notice-ended-all = Las demás sesiones están cerradas.
account-notice-expired = Esta página estuvo abierta demasiado tiempo y no se cambió nada. Inténtelo de nuevo.
account-notice-unlinked = Ya no puede iniciar sesión de esa forma.
account-notice-last-way = Es la única forma de entrar en su cuenta, así que se queda.
account-alert-elsewhere = una dirección desconocida
account-alert-refresh-reused = Un token de { $client } se usó dos veces; quizá alguien lo copió. Hemos terminado ese acceso. Vuelva a conectar la aplicación y avise a sus autores si se repite.
account-alert-refresh-late = { $client } volvió con un token caducado. Hemos terminado ese acceso. Si todavía usa la aplicación, vuelva a conectarla.
account-alert-code-replayed = Un inicio de sesión en { $client } se usó dos veces; quizá alguien lo interceptó. Hemos terminado ese acceso. Vuelva a conectar la aplicación desde una red de confianza.
account-alert-sign-in-failures = Alguien escribió { $count } veces una contraseña incorrecta para su cuenta, la última vez desde { $address }. Si no fue usted, asegúrese de que su contraseña es buena.
account-alert-password-changed = Su contraseña se cambió desde { $address }. Si no fue usted, hable ahora con los responsables de este servidor.
account-alert-link-made = Su cuenta se vinculó con otro proveedor, desde { $address }. Si no fue usted, quite el vínculo más abajo y hable con quienes llevan este servidor.
account-alert-link-removed = Se quitó una forma de entrar en su cuenta a través de otro proveedor.

## Errors
error-app-title = La aplicación le ha enviado aquí de forma incorrecta
error-app-text = Este servidor no conoce la aplicación, o el enlace de la aplicación está incompleto o lleva a una dirección que no está registrada. Vuelva a la aplicación e inténtelo de nuevo. Si sigue igual, avise a quienes hacen la aplicación.
error-sign-out-title = No se pudo cerrar la sesión
error-sign-out-text = Esta página estuvo abierta demasiado tiempo, o la aplicación le ha enviado aquí de forma incorrecta. Puede cerrar la sesión en la página de su cuenta.
error-expired-title = Esta página es demasiado antigua
error-expired-text = Estuvo abierta demasiado tiempo o pertenece a otro inicio de sesión. No se cambió nada. Vuelva a la aplicación y empiece de nuevo.
error-unreadable-title = Esta solicitud no se puede leer
error-unreadable-text = Puede que el enlace o el formulario esté incompleto. Vuelva atrás e inténtelo de nuevo. Si le envió aquí una aplicación, avise a quienes la hacen.
error-not-found-title = Esta página no existe
error-not-found-text = No hay nada en esta dirección. Puede que se haya movido o que el enlace esté incompleto.
error-method-title = Esta página no se puede usar así
error-method-text = No se cambió nada. Vuelva atrás, cargue la página de nuevo y use sus propios botones.
error-too-large-title = Es demasiado de una vez
error-too-large-text = El enlace, el formulario o las cookies de este navegador superan lo que este servidor lee. Envíe menos, o borre las cookies de esta página e inténtelo de nuevo.
error-too-many-title = Demasiadas solicitudes
error-too-many-text = Llegaron más solicitudes de las permitidas en tan poco tiempo. Espere un poco e inténtelo de nuevo.
error-internal-title = Algo ha fallado por nuestra parte
error-internal-text = El servidor no pudo terminar esta solicitud. Inténtelo de nuevo en un momento. Si sigue igual, indique al operador el número de la solicitud.
error-unavailable-title = No disponible en este momento
error-unavailable-text = El servidor no puede responder ahora mismo. Inténtelo de nuevo en un momento.
error-detail = Para los desarrolladores de la aplicación
error-request-id = Número de la solicitud
error-home = Volver al inicio
