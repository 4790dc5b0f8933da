// `npm run build -- client`: packs the npm package @parley/client into build/api-client.
import { execFileSync } from 'node:child_process'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { root } from './sources.mjs'

const source = join(root, 'server/modules/api/client')

/** @returns the tarball's path */
export async function packClient(outDir = join(root, 'build/api-client')) {
  const folder = join(outDir, 'package')
  const written = join(outDir, 'source')
  await rm(outDir, { recursive: true, force: true })
  await Promise.all([folder, written].map((path) => mkdir(path, { recursive: true })))
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      ssr: join(source, 'source.ts'),
      outDir: join(outDir, 'generator'),
      emptyOutDir: true,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'source.mjs' } },
    },
    // beside a folder without node_modules
    ssr: { noExternal: true },
  })
  const { clientSource } = await import(pathToFileURL(join(outDir, 'generator/source.mjs')).href)
  await writeFile(join(written, 'index.ts'), await clientSource())
  await cp(join(source, 'runtime.ts'), join(written, 'runtime.ts'))
  await writeFile(join(written, 'package.json'), JSON.stringify({ type: 'module' }))
  const options =
    '--ignoreConfig --strict --declaration --module nodenext --target es2022 --lib ES2022,DOM,DOM.Iterable'
  const tsc = [join(root, 'node_modules/typescript/bin/tsc'), ...options.split(' ')]
  execFileSync(process.execPath, [...tsc, '--outDir', folder, 'index.ts', 'runtime.ts'], {
    cwd: written,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  for (const file of ['package.json', 'README.md']) await cp(join(source, file), join(folder, file))
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const packed = execFileSync(npm, ['pack', '--json', '--ignore-scripts', '--pack-destination', outDir], {
    cwd: folder,
  })
  return join(outDir, JSON.parse(packed.toString())[0].filename)
}
