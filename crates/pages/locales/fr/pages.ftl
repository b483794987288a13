# Français.

## Every page
skip = Aller au contenu
footnote = Proposé par { $brand }
account = Votre compte
sign-in = Se connecter
sign-out = Se déconnecter
signed-in-as = Connecté en tant que { $user }
not-you = Ce n’est pas vous ?
use-another-account = Utiliser un autre compte
username = Nom d’utilisateur
password = Mot de passe
wait-seconds = { $count ->
    [one] { $count } seconde
   *[other] { $count } secondes
}
wait-minutes = { $count ->
    [one] { $count } minute
   *[other] { $count } minutes
}

## Dates
month-1 = janvier
month-2 = février
month-3 = mars
month-4 = avril
month-5 = mai
month-6 = juin
month-7 = juillet
month-8 = août
month-9 = septembre
month-10 = octobre
month-11 = novembre
month-12 = décembre
day = { $date } { $month } { $year }
moment = { $day } à { $time } UTC

## Sign in
sign-in-title = Se connecter
sign-in-to-client = pour continuer vers { $client }
sign-in-to-brand = à votre compte { $brand }
sign-in-wrong = Le nom d’utilisateur ou le mot de passe n’est pas correct. Vérifiez les deux et réessayez.
sign-in-throttled = Trop de tentatives. Attendez { $wait }, puis réessayez.
sign-in-expired = Cette page est restée ouverte trop longtemps et rien n’a été envoyé. Connectez-vous à nouveau.

## Signed in
signed-in-title = Vous êtes connecté
signed-in-text = Vous pouvez fermer cette page ou consulter votre compte.

## Consent
consent-title = Autoriser { $client } à utiliser votre compte ?
consent-first = Cette application n’a encore jamais eu accès à votre compte.
consent-more = Cette application a déjà un accès et en demande davantage. Les nouveautés sont signalées.
consent-again = Vous l’avez déjà autorisée. L’application vous demande de confirmer.
consent-list = Elle demande la permission de :
consent-nothing = L’application veut seulement savoir que vous êtes connecté.
consent-new = Nouveau
consent-sensitive = Sensible
consent-host = Vous serez dirigé vers { $host }. Ne continuez que si vous connaissez cette adresse et lui faites confiance.
consent-app = Vous reviendrez à une application sur cet appareil. Ne continuez que si vous l’avez ouverte vous-même.
consent-approve = Autoriser
consent-deny = Refuser
consent-take-back = Vous pouvez revenir sur ce choix à tout moment :
scope-openid = Savoir qui vous êtes, par un identifiant de votre compte
scope-profile = Voir votre profil, comme votre nom et votre photo
scope-email = Voir votre adresse e-mail
scope-address = Voir votre adresse postale
scope-phone = Voir votre numéro de téléphone
scope-offline_access = Garder cet accès quand vous n’utilisez pas l’application
scope-unknown = Utiliser la permission « { $scope } »

## Sign out
sign-out-title = Se déconnecter ?
sign-out-asked = { $client } demande votre déconnexion.
sign-out-text = Vous serez déconnecté de ce navigateur. Les applications autorisées gardent leur accès.
sign-out-stay = Rester connecté
signed-out-title = Vous êtes déconnecté
signed-out-text = Si d’autres personnes utilisent cet appareil, fermez aussi toutes les fenêtres du navigateur.
signed-out-again = Se reconnecter

## Return to the client
form-post-title = Retour à l’application
form-post-text = Votre navigateur vous ramène vers { $host }. Si rien ne se passe, appuyez sur le bouton.
form-post-button = Continuer
