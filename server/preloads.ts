import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** An entry of Vite's manifest (build.manifest). */
interface Built {
  file: string
  css?: string[]
  imports?: string[]
  name?: string
}
type Manifest = Readonly<Record<string, Built>>

/**
 * Modules that a screen needs at once, by address. What may be opened within a screen is loaded later by the screen
 * itself (src/screens/builder/usePreload.ts): on a slow line it would delay what is needed first.
 */
const screens: readonly { path: RegExp; modules: readonly string[] }[] = [
  {
    path: /^\/projects\/[^/]+\/chatbots\/[^/]+\/builder\/?$/,
    modules: ['screens/builder/BuilderScreen.tsx', 'texts-of-builder', 'texts-of-blocks'],
  },
]

/**
 * Adds preload hints for an address's screen to the interface's page, so that a browser fetches everything at once
 * instead of discovering each part by the previous one.
 *
 * @param folder of the built interface; without a manifest the page stays as it is
 * @returns a function that returns the page for a path
 */
export function preloading(page: string, folder: string): (path: string) => string {
  const file = join(folder, 'manifest.json')
  const manifest: Manifest = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const pages = screens.map(({ path, modules }) => ({ path, page: withHints(page, manifest, modules) }))
  return (path) => pages.find((screen) => screen.path.test(path))?.page ?? page
}

function withHints(page: string, manifest: Manifest, modules: readonly string[]): string {
  // files named by the page itself are fetched anyway
  const fresh = filesOf(manifest, modules).filter((file) => !page.includes(file))
  return page.replace('</head>', `${fresh.map(hint).join('')}</head>`)
}

/** All files of modules: static imports and styles. */
function filesOf(manifest: Manifest, names: readonly string[]): string[] {
  const keys = new Set(
    names.flatMap((name) => Object.keys(manifest).find((key) => key === name || manifest[key]?.name === name) ?? []),
  )
  for (const key of keys) for (const imported of manifest[key]?.imports ?? []) keys.add(imported)
  const built = [...keys].flatMap((key) => manifest[key] ?? [])
  return [...new Set(built.flatMap(({ file, css = [] }) => [...css, file]))]
}

function hint(file: string): string {
  const kind = file.endsWith('.css') ? 'rel="preload" as="style"' : 'rel="modulepreload"'
  return `<link ${kind} crossorigin href="/${file}" fetchpriority="high" />`
}
