import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What Vite writes about a file that it built (build.manifest). */
interface Built {
  file: string
  css?: string[]
  imports?: string[]
  name?: string
}
type Manifest = Readonly<Record<string, Built>>

/**
 * Screens that a page asks for as soon as it comes, by the address that leads there. What may be opened in them comes after them, by their
 * own doing (src/screens/builder/usePreload.ts): on a slow line it would take from what the screen cannot do without.
 */
const screens: readonly { path: RegExp; modules: readonly string[] }[] = [
  {
    path: /^\/projects\/[^/]+\/chatbots\/[^/]+\/builder\/?$/,
    modules: ['screens/builder/BuilderScreen.tsx', 'texts-of-builder', 'texts-of-blocks'],
  },
]

/**
 * The interface's page with hints at what the screen of an address needs, so that a browser fetches all of it at once: else it learns of
 * each part from the one before, a round trip each.
 *
 * @param folder of the built interface; without a manifest there the page is as it is
 * @returns gives the page for a path
 */
export function preloading(page: string, folder: string): (path: string) => string {
  const file = join(folder, 'manifest.json')
  const manifest: Manifest = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const pages = screens.map(({ path, modules }) => ({ path, page: withHints(page, manifest, modules) }))
  return (path) => pages.find((screen) => screen.path.test(path))?.page ?? page
}

function withHints(page: string, manifest: Manifest, modules: readonly string[]): string {
  // what the page names itself is fetched anyway
  const fresh = filesOf(manifest, modules).filter((file) => !page.includes(file))
  return page.replace('</head>', `${fresh.map(hint).join('')}</head>`)
}

/** All files that come with modules: what they import at once, and its styles. */
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
