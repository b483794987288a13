# Deutsch.

## Every page
skip = Zum Inhalt springen
footnote = Bereitgestellt von { $brand }
account = Ihr Konto
sign-in = Anmelden
sign-out = Abmelden
signed-in-as = Angemeldet als { $user }
not-you = Das sind nicht Sie?
use-another-account = Anderes Konto verwenden
username = Benutzername
password = Passwort
wait-seconds = { $count ->
    [one] { $count } Sekunde
   *[other] { $count } Sekunden
}
wait-minutes = { $count ->
    [one] { $count } Minute
   *[other] { $count } Minuten
}

## Dates
month-1 = Januar
month-2 = Februar
month-3 = März
month-4 = April
month-5 = Mai
month-6 = Juni
month-7 = Juli
month-8 = August
month-9 = September
month-10 = Oktober
month-11 = November
month-12 = Dezember
day = { $date }. { $month } { $year }
moment = { $day }, { $time } UTC

## Sign in
sign-in-title = Anmelden
sign-in-to-client = und weiter zu { $client }
sign-in-to-brand = bei Ihrem Konto von { $brand }
sign-in-wrong = Benutzername oder Passwort stimmt nicht. Bitte prüfen Sie beides und versuchen Sie es noch einmal.
sign-in-throttled = Zu viele Versuche. Bitte warten Sie { $wait } und versuchen Sie es dann noch einmal.
sign-in-expired = Diese Seite war zu lange offen, es wurde nichts gesendet. Bitte melden Sie sich noch einmal an.

## Signed in
signed-in-title = Sie sind angemeldet
signed-in-text = Sie können diese Seite schließen oder Ihr Konto ansehen.

## Consent
consent-title = Darf { $client } Ihr Konto verwenden?
consent-first = Diese App hatte bisher keinen Zugriff.
consent-more = Diese App hat schon Zugriff und bittet nun um mehr. Was neu ist, ist markiert.
consent-again = Sie haben das schon einmal erlaubt. Die App bittet Sie, es zu bestätigen.
consent-list = Sie möchte Folgendes dürfen:
consent-nothing = Die App möchte nur wissen, dass Sie angemeldet sind.
consent-new = Neu
consent-sensitive = Heikel
consent-host = Sie werden zu { $host } geleitet. Fahren Sie nur fort, wenn Sie diese Adresse kennen und ihr vertrauen.
consent-app = Sie kehren zu einer App auf diesem Gerät zurück. Fahren Sie nur fort, wenn Sie diese App selbst geöffnet haben.
consent-approve = Erlauben
consent-deny = Ablehnen
consent-take-back = Sie können das jederzeit zurücknehmen:
scope-openid = Wissen, wer Sie sind, anhand einer Kennung Ihres Kontos
scope-profile = Ihr Profil sehen, etwa Name und Bild
scope-email = Ihre E-Mail-Adresse sehen
scope-address = Ihre Postanschrift sehen
scope-phone = Ihre Telefonnummer sehen
scope-offline_access = Diesen Zugriff behalten, auch während Sie die App nicht verwenden
scope-unknown = Die Berechtigung „{ $scope }“ verwenden

## Sign out
sign-out-title = Abmelden?
sign-out-asked = { $client } bittet darum, Sie abzumelden.
sign-out-text = Sie werden in diesem Browser abgemeldet. Apps, denen Sie etwas erlaubt haben, behalten ihren Zugriff.
sign-out-stay = Angemeldet bleiben
signed-out-title = Sie sind abgemeldet
signed-out-text = Wenn andere dieses Gerät benutzen, schließen Sie auch alle Fenster des Browsers.
signed-out-again = Wieder anmelden

## Return to the client
form-post-title = Zurück zur App
form-post-text = Ihr Browser bringt Sie zurück zu { $host }. Wenn nichts geschieht, drücken Sie den Knopf.
form-post-button = Weiter
