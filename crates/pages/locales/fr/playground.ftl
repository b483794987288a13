
## Playground
play-title = Terrain d’essai
play-lead = Chaque parcours OAuth, une requête après l’autre. Tout est réel : votre navigateur demande, ce serveur répond, et vous voyez les deux.
play-who = Connectez-vous en tant que `{ $user }` avec le mot de passe que le serveur a affiché à son premier démarrage. Cette page joue `{ $app }`, une application sans secret : un navigateur ne peut pas en garder.
play-reset = Tout recommencer
play-nav = Parcours
play-tab-pkce = Se connecter avec PKCE
play-tab-refresh = Renouveler
play-tab-revoke = Se déconnecter
play-tab-device = Appareil
play-tab-service = Service
play-what-if = Et si …
play-need = Il n’y a pas encore de jetons, ou ils ne valent plus rien. Obtenez-en d’abord :

## Playground: code with PKCE
play-pkce-text = Vous vous connectez ici et donnez votre accord, et l’application repart avec des jetons sans jamais voir votre mot de passe. PKCE garantit que seule l’application qui a commencé peut finir : elle commence par une empreinte et finit par le secret caché derrière.
play-make = Un secret pour cette tentative
play-make-text = L’application invente un secret et calcule son empreinte. L’empreinte part d’abord, et tout le monde peut la voir. Le secret vient en dernier, et ne va qu’au serveur.
play-verifier = Le secret : 32 octets au hasard en base64url. Pour l’instant, il reste dans cet onglet.
play-hash = L’empreinte du secret, octet par octet. Personne ne peut en revenir au secret.
play-challenge = Les mêmes octets en base64url, sans remplissage. C’est ce qui part.
play-state = Au hasard. Il doit revenir tel quel : une réponse avec un autre n’a pas été demandée ici.
play-nonce = Au hasard. Il revient dans l’id_token, pour que personne ne puisse en glisser un plus ancien.
play-make-again = Nouvelles valeurs
play-go = Envoyer le navigateur au serveur
play-go-text = L’application envoie le navigateur à cette adresse. Elle ne voit pas ce que vous y faites.
play-p-response-type = L’application veut un code, pas des jetons : d’autres peuvent voir ce qui est dans une adresse.
play-p-client-id = Quelle application demande.
play-p-redirect-uri = Où le navigateur revient. L’adresse doit être égale à une adresse enregistrée, lettre par lettre.
play-p-scope = Ce que l’application demande. Vous le voyez en mots simples, et pouvez refuser.
play-p-state = Revient sans changement.
play-p-nonce = Revient dans l’id_token.
play-p-challenge = L’empreinte de l’étape 1.
play-p-method = Le défi est une empreinte SHA-256. Rien de plus faible n’est accepté.
play-whole = L’adresse entière
play-go-button = Se connecter et revenir
play-if-no-pkce = … il n’y a pas de défi ?
play-back = Revenir avec un code
play-back-wait = Rien n’est encore revenu. Faites d’abord l’étape 2.
play-back-text = Le code est arrivé dans l’adresse, et cette page l’en a retiré aussitôt, pour qu’il ne reste pas dans l’historique. Il sert une fois, pendant une minute au plus, et seulement avec le secret.
play-trade = Échanger le code contre des jetons
play-trade-text = Le secret est montré maintenant. Le serveur calcule son empreinte et la compare au défi de l’étape 2. Qui a intercepté le code en chemin n’a pas le secret.
play-trade-button = Échanger le code
play-if-verifier = … le secret est faux ?
play-if-missing = … aucun secret n’est envoyé ?
play-if-redirect = … l’URI de redirection diffère ?
play-if-twice = … le code sert deux fois ?
play-id = Vérifier l’id_token
play-id-text = L’id_token dit à l’application qui s’est connecté. Tout le monde peut le lire, et tout le monde pourrait en écrire un ; une application ne le croit donc qu’après ces vérifications.
play-id-button = Vérifier
play-use = Utiliser le jeton d’accès
play-use-text = Il va dans l’en-tête `Authorization`, et jamais dans une adresse.
play-use-button = Demander qui je suis

## Playground: refresh
play-refresh-text = Un jeton d’accès vit quelques minutes. Le jeton de renouvellement apporte le suivant sans rien vous redemander, et il est lui-même remplacé à chaque fois.
play-rotate = Obtenir les jetons suivants
play-rotate-text = Une requête, deux nouveaux jetons. Le jeton de renouvellement envoyé ne vaut plus rien désormais.
play-rotate-button = Renouveler
play-old = Utilisé, sans valeur
play-new = À sa place
play-reuse = Présenter l’ancien une seconde fois
play-reuse-text = Si un jeton de renouvellement vient deux fois, deux parties le détiennent, et le serveur ne peut pas savoir laquelle est le voleur. Toute la session prend donc fin, même si la seconde utilisation vient très tard.
play-reuse-button = Présenter l’ancien
play-keep = Où une vraie application garde ses jetons
play-keep-text = Cette page les garde en mémoire et dans le `sessionStorage` de cet onglet, pour qu’un rechargement ne les perde pas. Tout script de la page pourrait les y lire. Une vraie application garde le jeton d’accès en mémoire et le jeton de renouvellement dans un cookie `HttpOnly`, qu’aucun script ne peut lire.

## Playground: sign out
play-revoke-text = Se déconnecter d’une application et se déconnecter de ce serveur sont deux choses.
play-revoke = Se déconnecter de l’application
play-revoke-does = L’application rend son jeton de renouvellement. Toute la session finit avec lui : le jeton d’accès est mort aussitôt, bien que son temps ne soit pas écoulé.
play-revoke-button = Révoquer
play-leave = Se déconnecter de ce serveur
play-leave-text = Vous êtes encore connecté ici, et la prochaine application ne demanderait pas votre mot de passe. Vous seul y mettez fin.

## Playground: device
play-device-text = Un téléviseur n’a pas de bon clavier, et un terminal pas de navigateur. Il montre un code court, vous le saisissez sur votre téléphone, et l’appareil demande pendant ce temps si vous avez donné votre accord.
play-device-ask = L’appareil demande un code
play-device-ask-text = Il dit qui il est et ce qu’il veut. Personne n’intervient encore.
play-device-ask-button = Demander un code
play-device-enter = Vous saisissez le code
play-device-enter-text = Ouvrez l’adresse sur n’importe quel appareil, connectez-vous, comparez le code et donnez votre accord. Ici, un nouvel onglet suffit.
play-device-address = Adresse
play-device-code = Code
play-device-open = Ouvrir dans un nouvel onglet
play-device-qr = Code QR de cette adresse
play-device-poll = L’appareil attend
play-device-poll-text = Il demande encore et encore, et pas plus vite qu’on ne le lui a dit.
play-device-interval = Secondes entre deux requêtes
play-device-hurry = Demander trop tôt
play-device-stop = Ne plus demander

## Playground: service
play-service-text = Un service agit pour lui-même : personne, aucun navigateur, une requête avec son propre secret. Un secret n’a pas sa place dans un navigateur, où tout le monde peut le lire. Voici la commande pour un terminal :
play-service-run = Essayer ici, cette fois seulement
play-service-run-text = Collez le secret de `{ $service }`, que le serveur a affiché à son premier démarrage. Il ne va qu’à ce serveur et n’est gardé nulle part : un rechargement l’oublie.
play-service-secret = Secret du client
play-service-button = Demander un jeton
play-introspect = Demander ce que vaut un jeton
play-introspect-text = Un service qui reçoit un jeton interroge le serveur à son sujet. Un jeton mort, un jeton inventé et un jeton qui ne le regarde pas reçoivent la même réponse : inactif.
play-introspect-token = Jeton
play-introspect-button = Interroger

## Playground: without JavaScript
play-noscript = Cette page montre les requêtes pendant qu’elles ont lieu, et il lui faut pour cela JavaScript. Aucune autre page ici n’en a besoin. Avec un terminal, la même chose se fait ainsi :
play-curl-open = Afficher l’adresse, l’ouvrir ici, puis copier le code depuis la barre d’adresse

## Playground: words that its script shows
play-w-request = Requête
play-w-answer = Réponse
play-w-curl = La même chose avec curl
play-w-type = Ce que cette erreur veut dire
play-w-header = En-tête
play-w-payload = Contenu
play-w-network = Le serveur n’a pas répondu. Vérifiez qu’il fonctionne encore, puis réessayez.
play-w-crypto = Ce navigateur ne calcule des empreintes que sous HTTPS et sur localhost. Ouvrez la page à une telle adresse.
play-w-error = Le navigateur est revenu avec une erreur au lieu d’un code.
play-w-state-ok = Le state est celui qui a été envoyé.
play-w-state-bad = Le state n’est pas celui qui a été envoyé. Une application s’arrête ici.
play-w-iss-ok = La réponse vient de cet émetteur.
play-w-iss-bad = La réponse vient d’un autre émetteur. Une application s’arrête ici.
play-w-signature-ok = La signature correspond à une clé que le serveur publie.
play-w-signature-bad = La signature ne correspond à aucune clé que le serveur publie.
play-w-issuer-ok = Il a été émis par ce serveur.
play-w-issuer-bad = Il a été émis par quelqu’un d’autre.
play-w-audience-ok = Il est destiné à cette application.
play-w-audience-bad = Il est destiné à une autre application.
play-w-time-ok = Il n’a pas expiré.
play-w-time-bad = Il a expiré.
play-w-nonce-ok = Le nonce est celui de l’étape 1.
play-w-nonce-bad = Le nonce n’est pas celui de l’étape 1.
play-w-at-hash-ok = Il va avec ce jeton d’accès : at_hash correspond.
play-w-at-hash-bad = Il va avec un autre jeton d’accès : at_hash ne correspond pas.
play-w-why-no-pkce = PKCE est exigé de toute application : une requête sans défi s’arrête avant que quiconque doive se connecter.
play-w-why-verifier = L’empreinte de ce secret n’est pas le défi, il n’y a donc pas de jetons. Le code reste bon : qui n’a pas le secret ne peut même pas l’épuiser.
play-w-why-missing = Sans le secret, on ne va pas plus loin. Le code reste bon.
play-w-why-redirect = Le code a été envoyé à une autre adresse que celle-ci. Le code reste bon.
play-w-why-twice = Un code sert une fois. S’il vient deux fois, quelqu’un d’autre l’a aussi, et tout ce que le premier échange a apporté est mort : voyez plus bas la réponse au jeton d’accès.
play-w-why-reuse = L’ancien jeton de renouvellement est venu une seconde fois. La session est finie, et les jetons les plus récents avec elle : voyez plus bas la réponse au jeton d’accès.
play-w-why-dead = Le jeton d’accès est mort aussitôt, bien que son temps ne fût pas écoulé.
play-w-why-revoked = Révoqué. Un jeton que personne ne connaît reçoit la même réponse.
play-w-device-absent = Ce serveur n’offre pas le parcours des appareils.
play-w-device-waiting = Personne n’a encore décidé.
play-w-device-slower = Trop vite. Désormais, l’appareil attend cinq secondes de plus.
play-w-device-approved = Autorisé. L’appareil a ses jetons.
play-w-device-denied = Refusé. L’appareil ne reçoit rien.
play-w-device-expired = Le code a expiré. L’appareil doit en demander un nouveau.
