// Builds the interface into build/client and the server into build/server/main.js, then notes what they were built from.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { buildStamp, root, sourcesHash } from './sources.mjs'

/** What Vite needs to bundle the server; its dependencies stay outside, in node_modules. */
export const serverBuild = {
  root,
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  build: {
    ssr: join(root, 'server/main.ts'),
    outDir: join(root, 'build/server'),
    emptyOutDir: true,
    target: 'node20',
    sourcemap: true,
    rollupOptions: { output: { entryFileNames: 'main.js', chunkFileNames: '[name]-[hash].js' } },
  },
}

export async function buildAll() {
  const hash = sourcesHash()
  await rm(buildStamp, { force: true })
  await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' })
  await build(serverBuild)
  await mkdir(dirname(buildStamp), { recursive: true })
  await writeFile(buildStamp, hash)
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await buildAll()
