# Français.

## Every page
skip = Aller au contenu
footnote = Proposé par { $brand }
account = Votre compte
sign-in = Se connecter
sign-out = Se déconnecter
signed-in-as = Connecté en tant que { $user }
not-you = Ce n’est pas vous ?
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
sign-in-other-account = L’application attend un autre compte. Connectez-vous avec ce compte, ou retournez à l’application.
sign-in-with = Se connecter avec { $provider }
sign-in-or = ou
sign-in-denied = { $provider } ne vous a pas laissé entrer, ou vous avez annulé. Réessayez, ou connectez-vous autrement.
sign-in-failed = La connexion avec { $provider } n’a pas fonctionné. Veuillez réessayer. Si cela persiste, prévenez les responsables de ce serveur.
sign-in-unreachable = { $provider } est injoignable pour le moment. Réessayez bientôt, ou connectez-vous autrement.
sign-in-not-fresh = L’application demande une nouvelle connexion, et { $provider } ne vous l’a pas demandée. Déconnectez-vous là-bas, puis réessayez.
sign-in-no-account = Aucun compte ici ne correspond à celui que vous avez chez { $provider }. Connectez-vous autrement, ou adressez-vous aux responsables de ce serveur.

## Signed in
signed-in-title = Vous êtes connecté
signed-in-text = Vous pouvez fermer cette page ou consulter votre compte.

## Consent
consent-title = Autoriser { $client } à utiliser votre compte ?
consent-first = Cette application n’a encore jamais eu accès à votre compte.
consent-more = Cette application a déjà un accès et en demande davantage. Les nouveautés sont signalées.
consent-again = Vous l’avez déjà autorisée. L’application vous demande de confirmer.
consent-list = Elle demande la permission de :
consent-nothing = L’application veut seulement savoir que vous êtes connecté.
consent-new = Nouveau
consent-sensitive = Sensible
consent-host = Vous serez dirigé vers { $host }. Ne continuez que si vous connaissez cette adresse et lui faites confiance.
consent-app = Vous reviendrez à une application sur cet appareil. Ne continuez que si vous l’avez ouverte vous-même.
consent-approve = Autoriser
consent-deny = Refuser
consent-take-back = Vous pouvez revenir sur ce choix à tout moment :
scope-openid = Savoir qui vous êtes, par un identifiant de votre compte
scope-profile = Voir votre profil, comme votre nom et votre photo
scope-email = Voir votre adresse e-mail
scope-address = Voir votre adresse postale
scope-phone = Voir votre numéro de téléphone
scope-offline_access = Garder cet accès quand vous n’utilisez pas l’application
scope-unknown = Utiliser la permission « { $scope } »

## Sign out
sign-out-title = Se déconnecter ?
sign-out-asked = { $client } demande votre déconnexion.
sign-out-text = Vous serez déconnecté de ce navigateur. Votre compte montre quelles applications gardent leur accès.
sign-out-stay = Rester connecté
signed-out-title = Vous êtes déconnecté
signed-out-text = Si d’autres personnes utilisent cet appareil, fermez aussi toutes les fenêtres du navigateur.
signed-out-again = Se reconnecter

## Return to the client
form-post-title = Retour à l’application
form-post-text = Votre navigateur vous ramène vers { $host }. Si rien ne se passe, appuyez sur le bouton.
form-post-button = Continuer

## Devices
device-title = Connecter un appareil
device-text = Saisissez le code affiché par votre appareil.
device-compare = Un lien a apporté ce code. Ne continuez que si votre appareil affiche le même.
device-code = Code
device-hint = En majuscules ou en minuscules, avec ou sans tiret.
device-continue = Continuer
device-unknown = Ce code est inconnu ou a expiré. Vérifiez-le, ou demandez-en un nouveau à votre appareil.
device-throttled = Trop de tentatives. Attendez { $wait }, puis réessayez.
device-expired = Cette page est restée ouverte trop longtemps et rien n’a été envoyé. Saisissez le code à nouveau.
device-confirm-title = Connecter { $client } à votre compte ?
device-confirm-code = Votre appareil doit afficher ce code
device-confirm-from = La demande vient de
device-confirm-agent = L’appareil s’annonce comme
device-confirm-when = Il a fait la demande le
device-confirm-warning = Ne continuez que si vous êtes à l’origine de la demande et avez l’appareil devant vous. Si quelqu’un vous a envoyé ce code, refusez.
device-done-title = Votre appareil est connecté
device-done-text = { $client } a maintenant l’accès que vous avez autorisé. Revenez à votre appareil ; vous pouvez fermer cette page.
device-denied-title = L’appareil n’a pas été connecté
device-denied-text = { $client } n’a aucun accès. Vous pouvez fermer cette page.

## Account
account-title = Votre compte
account-alerts = À savoir
account-apps = Applications autorisées
account-apps-none = Aucune application n’a accès à votre compte.
account-since = Depuis le { $day }
account-last-used = dernière utilisation { $moment }
account-withdraw = Retirer l’accès
account-withdraw-of = Retirer l’accès de { $client }
account-end-session = Arrêter
account-end-session-of = Arrêter { $client } sur { $agent }
account-unknown-agent = Appareil inconnu
account-agent-on = { $browser } sur { $system }
account-sign-ins = Où vous êtes connecté
account-sign-ins-text = Vous ne reconnaissez pas une connexion ? Déconnectez-la et changez votre mot de passe.
account-sign-ins-more = Voici les plus récentes. Il y en a d’autres, et « Déconnecter partout ailleurs » les termine aussi.
account-current = Ce navigateur
account-from = depuis { $address }, le { $moment }
account-end = Déconnecter
account-end-of = Déconnecter { $agent }
account-end-all = Déconnecter partout ailleurs
account-links = Autres façons de se connecter
account-unlink = Retirer
account-unlink-of = Retirer { $provider }
account-password = Changer le mot de passe
account-password-current = Mot de passe actuel
account-password-new = Nouveau mot de passe
account-password-again = Nouveau mot de passe, encore une fois
account-password-hint = { $count ->
    [one] Au moins { $count } caractère. Quelques mots que vous seul réuniriez conviennent bien.
   *[other] Au moins { $count } caractères. Quelques mots que vous seul réuniriez conviennent bien.
}
account-password-save = Changer le mot de passe
account-password-wrong = Le mot de passe actuel n’est pas correct.
account-password-differ = Les deux nouveaux mots de passe ne sont pas identiques.
account-password-weak = Ce mot de passe est trop court ou trop facile à deviner. Choisissez-en un autre.
account-notice-password = Votre mot de passe est changé.
account-notice-withdrawn = L’application n’a plus accès.
account-notice-session-ended = L’application y est déconnectée. Elle peut redemander l’accès.
account-notice-ended = La connexion est fermée.
account-notice-ended-all = Déconnecté partout ailleurs.
account-notice-expired = Cette page est restée ouverte trop longtemps et rien n’a été changé. Réessayez.
account-notice-unlinked = Vous ne pouvez plus vous connecter ainsi.
account-notice-last-way = C’est la seule façon d’entrer dans votre compte, elle reste donc.
account-alert-elsewhere = une adresse inconnue
account-alert-refresh-reused = Un jeton de { $client } a servi deux fois ; quelqu’un l’a peut-être copié. Nous avons mis fin à cet accès. Reconnectez l’application et prévenez ses auteurs si cela se répète.
account-alert-refresh-late = { $client } est revenue avec un jeton expiré. Nous avons mis fin à cet accès. Si vous utilisez encore l’application, reconnectez-la.
account-alert-code-replayed = Une connexion à { $client } a servi deux fois ; quelqu’un l’a peut-être interceptée. Nous avons mis fin à cet accès. Reconnectez l’application depuis un réseau de confiance.
account-alert-sign-in-failures = Un mauvais mot de passe a été saisi { $count } fois pour votre compte, la dernière fois depuis { $address }. Si ce n’était pas vous, vérifiez que votre mot de passe est bon.
account-alert-password-changed = Votre mot de passe a été changé depuis { $address }. Si ce n’était pas vous, contactez tout de suite les responsables de ce serveur.
account-alert-link-made = Votre compte a été relié à un autre fournisseur, depuis { $address }. Si ce n’était pas vous, retirez ce lien ci-dessous et parlez aux responsables de ce serveur.
account-alert-link-removed = Une façon d’entrer dans votre compte par un autre fournisseur a été retirée.

## Errors
error-app-title = L’application vous a mal dirigé ici
error-app-text = Ce serveur ne connaît pas l’application, ou le lien de l’application est incomplet ou mène à une adresse qui n’est pas enregistrée. Retournez à l’application et réessayez. Si cela persiste, prévenez les auteurs de l’application.
error-sign-out-title = La déconnexion n’a pas réussi
error-sign-out-text = Cette page est restée ouverte trop longtemps, ou l’application vous a mal dirigé ici. Vous pouvez vous déconnecter sur la page de votre compte.
error-expired-title = Cette page est trop ancienne
error-expired-text = Elle est restée ouverte trop longtemps, ou elle appartient à une autre connexion. Rien n’a été modifié. Retournez à l’application et recommencez.
error-unreadable-title = Cette demande est illisible
error-unreadable-text = Le lien ou le formulaire est peut-être incomplet. Revenez en arrière et réessayez. Si une application vous a envoyé ici, prévenez ses auteurs.
error-not-found-title = Cette page n’existe pas
error-not-found-text = Il n’y a rien à cette adresse. La page a peut-être été déplacée, ou le lien est incomplet.
error-method-title = Cette page ne s’utilise pas ainsi
error-method-text = Rien n’a été modifié. Revenez en arrière, rechargez la page et utilisez ses propres boutons.
error-too-large-title = C’est trop à la fois
error-too-large-text = Le lien, le formulaire ou les cookies de ce navigateur dépassent ce que ce serveur lit. Envoyez moins, ou supprimez les cookies de cette page et réessayez.
error-too-many-title = Trop de demandes
error-too-many-text = Il est arrivé plus de demandes que permis en si peu de temps. Attendez un peu, puis réessayez.
error-internal-title = Une erreur s’est produite de notre côté
error-internal-text = Le serveur n’a pas pu terminer cette demande. Réessayez dans un instant. Si cela persiste, donnez le numéro de la demande à l’exploitant.
error-unavailable-title = Indisponible pour le moment
error-unavailable-text = Le serveur ne peut pas répondre à l’instant. Réessayez dans un moment.
error-detail = Pour les développeurs de l’application
error-request-id = Numéro de la demande
error-home = Retour au début
