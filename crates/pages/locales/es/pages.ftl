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
consent-sensitive = Delicado
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
sign-out-text = Se cerrará su sesión en este navegador. Las aplicaciones que ha permitido conservan su acceso.
sign-out-stay = Mantener la sesión
signed-out-title = Ha cerrado la sesión
signed-out-text = Si otras personas usan este dispositivo, cierre también todas las ventanas del navegador.
signed-out-again = Iniciar sesión de nuevo

## Return to the client
form-post-title = De vuelta a la aplicación
form-post-text = Su navegador le lleva de vuelta a { $host }. Si no ocurre nada, pulse el botón.
form-post-button = Continuar
