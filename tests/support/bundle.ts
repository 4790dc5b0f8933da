import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Bundles a source of the repository for plain Node, like the build does with server/main.ts. The bundle lies below the
 * repository, so that its dependencies are found.
 */
export async function bundleForNode(source: string): Promise<{ entry: string; remove: () => Promise<void> }> {
  const folder = join(root, `build/${basename(source, '.ts')}-${process.pid}`)
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      ssr: join(root, source),
      outDir: folder,
      emptyOutDir: true,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'entry.js', codeSplitting: false } },
    },
  })
  return { entry: join(folder, 'entry.js'), remove: () => rm(folder, { recursive: true, force: true }) }
}
