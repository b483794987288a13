// node-oidc-provider with everything in memory, and with sessions to renew and codes to redeem. Arguments: how many
// sessions, how many codes. Says on standard output where it listens; writes tokens into the file named last.

import { generateKeyPairSync, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import Provider from "oidc-provider";

const [sessions, codes, file] = [Number(process.argv[2]), Number(process.argv[3]), process.argv[4]];

// The cheapest store there can be. The one that comes with it forgets after a thousand entries.
const entries = new Map();
const grants = new Map();
class Store {
  constructor(kind) {
    this.kind = kind;
  }
  key(id) {
    return `${this.kind}:${id}`;
  }
  async upsert(id, payload) {
    const key = this.key(id);
    entries.set(key, payload);
    if (payload.grantId) {
      if (!grants.has(payload.grantId)) grants.set(payload.grantId, new Set());
      grants.get(payload.grantId).add(key);
    }
  }
  async find(id) {
    return entries.get(this.key(id));
  }
  async findByUid() {}
  async findByUserCode() {}
  async consume(id) {
    entries.get(this.key(id)).consumed = Math.floor(Date.now() / 1000);
  }
  async destroy(id) {
    entries.delete(this.key(id));
  }
  async revokeByGrantId(id) {
    for (const key of grants.get(id) ?? []) entries.delete(key);
    grants.delete(id);
  }
}

const jwk = (kind, options, more) => ({ ...generateKeyPairSync(kind, options).privateKey.export({ format: "jwk" }), ...more });
const secret = "0123456789abcdef0123456789abcdef0123456789abcdef";
const machine = { client_secret: secret, grant_types: ["client_credentials"], redirect_uris: [], response_types: [] };
const callback = "https://app.example/callback";
const api = "https://api.example/orders";

const provider = new Provider("http://127.0.0.1", {
  adapter: Store,
  clients: [
    { client_id: "opaque", ...machine },
    { client_id: "es256", ...machine },
    { client_id: "rs256", ...machine },
    { client_id: "guard", ...machine },
    {
      client_id: "web",
      client_secret: secret,
      redirect_uris: [callback],
      grant_types: ["authorization_code", "refresh_token"],
    },
  ],
  jwks: {
    keys: [
      jwk("rsa", { modulusLength: 2048 }, { use: "sig", alg: "RS256", kid: "rsa" }),
      jwk("ec", { namedCurve: "P-256" }, { use: "sig", alg: "ES256", kid: "ec" }),
    ],
  },
  cookies: { keys: ["bench"] },
  scopes: ["openid", "offline_access", "read:orders"],
  rotateRefreshToken: true,
  ttl: { AccessToken: 86400, AuthorizationCode: 86400, ClientCredentials: 900, Grant: 864000, RefreshToken: 864000 },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    introspection: { enabled: true, allowedPolicy: async () => true },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: async (ctx, client) => (["es256", "rs256"].includes(client.clientId) ? api : undefined),
      getResourceServerInfo: async (ctx, resource, client) => ({
        scope: "read:orders",
        accessTokenFormat: "jwt",
        jwt: { sign: { alg: client.clientId.toUpperCase() } },
      }),
      useGrantedResource: async () => true,
    },
  },
  findAccount: async (ctx, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
});

const client = await provider.Client.find("web");
const scope = "offline_access read:orders";
async function grant(accountId) {
  const made = new provider.Grant({ accountId, clientId: "web" });
  made.addOIDCScope(scope);
  return made.save();
}
const made = { access: [], refresh: [], codes: [] };
for (let number = 0; number < sessions; number++) {
  const accountId = randomBytes(16).toString("hex");
  const common = { accountId, client, grantId: await grant(accountId), scope, gty: "authorization_code" };
  made.access.push(await new provider.AccessToken(common).save());
  made.refresh.push(await new provider.RefreshToken({ ...common, expiresWithSession: false }).save());
}
for (let number = 0; number < codes; number++) {
  const accountId = randomBytes(16).toString("hex");
  const code = new provider.AuthorizationCode({
    accountId,
    client,
    grantId: await grant(accountId),
    scope,
    redirectUri: callback,
    codeChallenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    codeChallengeMethod: "S256",
    authTime: Math.floor(Date.now() / 1000),
  });
  made.codes.push(await code.save());
}
writeFileSync(file, JSON.stringify(made));

const server = provider.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ listen: `127.0.0.1:${server.address().port}` }));
});
server.keepAliveTimeout = 3600000;
