/** Vite plugin that builds `/embed.js`, a classic script with a fixed name for other sites to load. */

import { build, type Plugin } from "vite";

const NAME = "embed.js";

async function buildScript(entry: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    build: {
      write: false,
      target: "es2022",
      lib: { entry, formats: ["iife"], name: "OmniForgeLoader", fileName: () => NAME },
    },
  });
  const [output] = [result].flat().flatMap((each) => ("output" in each ? each.output : []));
  if (output?.type !== "chunk") throw new Error(`${NAME} was not built`);
  return output.code;
}

/** Adds the script to the build, and serves it in development. */
export function embedScriptPlugin(entry: string): Plugin {
  return {
    name: "omniforge-embed-script",
    async generateBundle() {
      this.emitFile({ type: "asset", fileName: NAME, source: await buildScript(entry) });
    },
    configureServer(server) {
      server.middlewares.use(`/${NAME}`, (_request, response, next) => {
        buildScript(entry).then((code) => {
          response.setHeader("Content-Type", "text/javascript");
          response.end(code);
        }, next);
      });
    },
  };
}
