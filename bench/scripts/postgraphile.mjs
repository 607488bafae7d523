// PostGraphile 5 over the schema `bare`, with a token in each request: the peer in bench/peer.py.
import { createServer } from "node:http";
import jsonwebtoken from "jsonwebtoken";
import { postgraphile } from "postgraphile";
import { grafserv } from "postgraphile/grafserv/node";
import { makePgService } from "postgraphile/adaptors/pg";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";

const { DATABASE_URL, PORT, SECRET, CONNECTIONS } = process.env;
const pgl = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString: DATABASE_URL, schemas: ["bare"], poolConfig: { max: Number(CONNECTIONS) } })],
  grafserv: { graphiql: false, watch: false },
  grafast: {
    explain: false,
    context({ node }) {
      const claims = jsonwebtoken.verify(node.req.headers.authorization.slice(7), SECRET, { algorithms: ["HS256"] });
      return { pgSettings: { "jwt.claims.sub": claims.sub } };
    },
  },
});
const server = createServer();
await pgl.createServ(grafserv).addTo(server);
server.listen(Number(PORT), "127.0.0.1");
