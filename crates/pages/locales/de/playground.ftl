
## Playground
play-title = Spielwiese
play-lead = Jeder OAuth-Ablauf, eine Anfrage nach der anderen. Alles ist echt: Ihr Browser fragt, dieser Server antwortet, und Sie sehen beides.
play-who = Melden Sie sich als `{ $user }` an, mit dem Passwort, das der Server bei seinem ersten Start ausgegeben hat. Diese Seite spielt `{ $app }`, eine App ohne Geheimnis: Ein Browser kann keines bewahren.
play-reset = Von vorn beginnen
play-nav = Abläufe
play-tab-pkce = Anmelden mit PKCE
play-tab-refresh = Erneuern
play-tab-revoke = Abmelden
play-tab-device = Gerät
play-tab-service = Dienst
play-what-if = Was wäre, wenn …
play-need = Es gibt noch keine Token, oder sie gelten nicht mehr. Holen Sie zuerst welche:

## Playground: code with PKCE
play-pkce-text = Sie melden sich hier an und stimmen zu, und die App geht mit Token davon, ohne Ihr Passwort je zu sehen. PKCE sorgt dafür, dass nur die App zu Ende führt, die begonnen hat: Sie beginnt mit einem Hash und endet mit dem Geheimnis dahinter.
play-make = Ein Geheimnis für diesen Versuch
play-make-text = Die App denkt sich ein Geheimnis aus und bildet seinen Hash. Der Hash geht zuerst hinaus, und jeder darf ihn sehen. Das Geheimnis kommt zuletzt und geht nur an den Server.
play-verifier = Das Geheimnis: 32 zufällige Bytes in base64url. Vorerst bleibt es in diesem Tab.
play-hash = Der Hash des Geheimnisses, Byte für Byte. Von hier führt kein Weg zurück.
play-challenge = Dieselben Bytes in base64url, ohne Füllzeichen. Das geht hinaus.
play-state = Zufällig. Er muss so zurückkommen: Eine Antwort mit einem anderen wurde hier nicht verlangt.
play-nonce = Zufällig. Sie kommt im id_token zurück, damit niemand ein älteres unterschieben kann.
play-make-again = Neue Werte
play-go = Den Browser zum Server schicken
play-go-text = Die App schickt den Browser an diese Adresse. Was Sie dort tun, sieht sie nicht.
play-p-response-type = Die App möchte einen Code und keine Token: Was in einer Adresse steht, können andere sehen.
play-p-client-id = Welche App fragt.
play-p-redirect-uri = Wohin der Browser zurückkehrt. Die Adresse muss einer registrierten gleichen, Zeichen für Zeichen.
play-p-scope = Worum die App bittet. Sie sehen es in einfachen Worten und können ablehnen.
play-p-state = Kommt unverändert zurück.
play-p-nonce = Kommt im id_token zurück.
play-p-challenge = Der Hash aus Schritt 1.
play-p-method = Die Challenge ist ein SHA-256-Hash. Schwächeres wird nicht angenommen.
play-whole = Die ganze Adresse
play-go-button = Anmelden und zurückkommen
play-if-no-pkce = … es keine Challenge gäbe?
play-back = Mit einem Code zurückkommen
play-back-wait = Noch ist nichts zurückgekommen. Machen Sie zuerst Schritt 2.
play-back-text = Der Code kam in der Adresse, und diese Seite hat ihn dort sofort entfernt, damit er nicht im Verlauf bleibt. Er gilt einmal, höchstens eine Minute lang, und nur zusammen mit dem Geheimnis.
play-trade = Den Code gegen Token tauschen
play-trade-text = Jetzt wird das Geheimnis gezeigt. Der Server bildet seinen Hash und vergleicht ihn mit der Challenge aus Schritt 2. Wer den Code unterwegs abgefangen hat, kennt das Geheimnis nicht.
play-trade-button = Code eintauschen
play-if-verifier = … das Geheimnis falsch wäre?
play-if-missing = … kein Geheimnis käme?
play-if-redirect = … die Redirect-URI abwiche?
play-if-twice = … der Code zweimal käme?
play-id = Das id_token prüfen
play-id-text = Das id_token sagt der App, wer sich angemeldet hat. Jeder kann es lesen, und jeder könnte eines schreiben; darum glaubt eine App ihm erst nach diesen Prüfungen.
play-id-button = Prüfen
play-use = Das Zugriffstoken verwenden
play-use-text = Es gehört in den Kopf `Authorization` und niemals in eine Adresse.
play-use-button = Fragen, wer ich bin

## Playground: refresh
play-refresh-text = Ein Zugriffstoken lebt einige Minuten. Das Refresh-Token bringt das nächste, ohne Sie wieder zu fragen, und wird dabei jedes Mal selbst ersetzt.
play-rotate = Die nächsten Token holen
play-rotate-text = Eine Anfrage, zwei neue Token. Das gesendete Refresh-Token gilt von jetzt an nicht mehr.
play-rotate-button = Erneuern
play-old = Benutzt und ungültig
play-new = An seiner Stelle
play-reuse = Das alte noch einmal vorzeigen
play-reuse-text = Kommt ein Refresh-Token zweimal, so haben es zwei, und der Server kann nicht wissen, wer von beiden der Dieb ist. Darum endet die ganze Sitzung, wie spät die zweite Verwendung auch kommt.
play-reuse-button = Das alte vorzeigen
play-keep = Wo eine echte App ihre Token aufbewahrt
play-keep-text = Diese Seite hält sie im Speicher und im `sessionStorage` dieses Tabs, damit ein Neuladen sie nicht verliert. Jedes Skript der Seite könnte sie dort lesen. Eine echte App behält das Zugriffstoken im Speicher und das Refresh-Token in einem `HttpOnly`-Cookie, das kein Skript lesen kann.

## Playground: sign out
play-revoke-text = Sich von einer App abzumelden und sich von diesem Server abzumelden ist zweierlei.
play-revoke = Von der App abmelden
play-revoke-does = Die App gibt ihr Refresh-Token zurück. Damit endet die ganze Sitzung: Das Zugriffstoken ist sofort ungültig, obwohl seine Zeit noch nicht um ist.
play-revoke-button = Widerrufen
play-leave = Von diesem Server abmelden
play-leave-text = Hier sind Sie noch angemeldet, und die nächste App würde nicht nach Ihrem Passwort fragen. Nur Sie beenden das.

## Playground: device
play-device-text = Ein Fernseher hat keine gute Tastatur und ein Terminal keinen Browser. Es zeigt einen kurzen Code, Sie geben ihn auf Ihrem Telefon ein, und das Gerät fragt unterdessen, ob Sie zugestimmt haben.
play-device-ask = Das Gerät bittet um einen Code
play-device-ask-text = Es sagt, wer es ist und was es möchte. Noch ist kein Mensch beteiligt.
play-device-ask-button = Um einen Code bitten
play-device-enter = Sie geben den Code ein
play-device-enter-text = Öffnen Sie die Adresse auf irgendeinem Gerät, melden Sie sich an, vergleichen Sie den Code und stimmen Sie zu. Hier genügt ein neuer Tab.
play-device-address = Adresse
play-device-code = Code
play-device-open = In neuem Tab öffnen
play-device-qr = QR-Code dieser Adresse
play-device-poll = Das Gerät wartet
play-device-poll-text = Es fragt immer wieder, und nicht schneller, als ihm gesagt wurde.
play-device-interval = Sekunden zwischen zwei Anfragen
play-device-hurry = Zu früh fragen
play-device-stop = Nicht mehr fragen

## Playground: service
play-service-text = Ein Dienst handelt für sich selbst: kein Mensch, kein Browser, eine Anfrage mit einem eigenen Geheimnis. Ein Geheimnis gehört nicht in einen Browser, wo jeder es lesen kann. Das ist der Befehl für ein Terminal:
play-service-run = Hier versuchen, dieses eine Mal
play-service-run-text = Fügen Sie das Geheimnis von `{ $service }` ein, das der Server bei seinem ersten Start ausgegeben hat. Es geht nur an diesen Server und wird nirgends gespeichert: Ein Neuladen vergisst es.
play-service-secret = Geheimnis des Dienstes
play-service-button = Um ein Token bitten
play-introspect = Fragen, was ein Token wert ist
play-introspect-text = Ein Dienst, der ein Token erhält, fragt den Server danach. Ein totes, ein erfundenes und eines, das ihn nichts angeht, bekommen dieselbe Antwort: nicht aktiv.
play-introspect-token = Token
play-introspect-button = Nachfragen

## Playground: without JavaScript
play-noscript = Diese Seite zeigt Anfragen, während sie geschehen, und braucht dafür JavaScript. Keine andere Seite hier braucht es. Mit einem Terminal geht dasselbe so:
play-curl-open = Die Adresse ausgeben, hier öffnen und danach den Code aus der Adresszeile kopieren

## Playground: words that its script shows
play-w-request = Anfrage
play-w-answer = Antwort
play-w-curl = Dasselbe mit curl
play-w-type = Was dieser Fehler bedeutet
play-w-header = Kopf
play-w-payload = Inhalt
play-w-network = Der Server hat nicht geantwortet. Prüfen Sie, ob er noch läuft, und versuchen Sie es noch einmal.
play-w-crypto = Dieser Browser bildet Hashes nur unter HTTPS und auf localhost. Öffnen Sie die Seite unter einer solchen Adresse.
play-w-error = Der Browser kam mit einem Fehler statt mit einem Code zurück.
play-w-state-ok = Der state ist der gesendete.
play-w-state-bad = Der state ist nicht der gesendete. Hier hört eine App auf.
play-w-iss-ok = Die Antwort kommt von diesem Aussteller.
play-w-iss-bad = Die Antwort kommt von einem anderen Aussteller. Hier hört eine App auf.
play-w-signature-ok = Die Signatur passt zu einem Schlüssel, den der Server veröffentlicht.
play-w-signature-bad = Die Signatur passt zu keinem Schlüssel, den der Server veröffentlicht.
play-w-issuer-ok = Es wurde von diesem Server ausgestellt.
play-w-issuer-bad = Es wurde von jemand anderem ausgestellt.
play-w-audience-ok = Es ist für diese App bestimmt.
play-w-audience-bad = Es ist für eine andere App bestimmt.
play-w-time-ok = Es ist nicht abgelaufen.
play-w-time-bad = Es ist abgelaufen.
play-w-nonce-ok = Die nonce ist die aus Schritt 1.
play-w-nonce-bad = Die nonce ist nicht die aus Schritt 1.
play-w-at-hash-ok = Es gehört zu diesem Zugriffstoken: at_hash passt.
play-w-at-hash-bad = Es gehört zu einem anderen Zugriffstoken: at_hash passt nicht.
play-w-why-no-pkce = PKCE wird von jeder App verlangt. Eine Anfrage ohne Challenge endet, bevor jemand sich anmelden soll.
play-w-why-verifier = Der Hash dieses Geheimnisses ist nicht die Challenge, darum gibt es keine Token. Der Code gilt noch: Wer das Geheimnis nicht hat, kann ihn nicht einmal verbrauchen.
play-w-why-missing = Ohne das Geheimnis geht es nicht weiter. Der Code gilt noch.
play-w-why-redirect = Der Code wurde an eine andere Adresse geschickt als diese. Der Code gilt noch.
play-w-why-twice = Ein Code gilt einmal. Kommt er zweimal, so hat ihn noch jemand, und alles, was der erste Tausch gebracht hat, ist auch tot: Sehen Sie unten die Antwort auf das Zugriffstoken.
play-w-why-reuse = Das alte Refresh-Token kam ein zweites Mal. Die Sitzung ist vorbei und mit ihr die neuesten Token: Sehen Sie unten die Antwort auf das Zugriffstoken.
play-w-why-dead = Das Zugriffstoken ist sofort ungültig, obwohl seine Zeit noch nicht um war.
play-w-why-revoked = Widerrufen. Ein Token, das niemand kennt, bekäme dieselbe Antwort.
play-w-device-absent = Dieser Server bietet den Ablauf für Geräte nicht an.
play-w-device-waiting = Noch hat niemand entschieden.
play-w-device-slower = Zu schnell. Von jetzt an wartet das Gerät fünf Sekunden länger.
play-w-device-approved = Erlaubt. Das Gerät hat seine Token.
play-w-device-denied = Abgelehnt. Das Gerät bekommt nichts.
play-w-device-expired = Der Code ist abgelaufen. Das Gerät muss um einen neuen bitten.
