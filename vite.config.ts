import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const source = resolve(import.meta.dirname, 'src')

type Graph = {
  getModuleInfo: (id: string) => { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null
}
const closures = new Map<string, ReadonlySet<string>>()

/** A module and all that it imports at once. */
function closureOf(entry: string, graph: Graph): ReadonlySet<string> {
  const known = closures.get(entry)
  if (known) return known
  const found = new Set([entry])
  for (const id of found) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  closures.set(entry, found)
  return found
}

const [app, chat, routes, builder] = [
  'app/main.tsx',
  'widget/chat.ts',
  'app/routes.tsx',
  'screens/builder/BuilderScreen.tsx',
].map((path) => resolve(source, path)) as [string, string, string, string]

/**
 * Each file costs a round trip and its headers, so what comes together is one: what every screen needs (and log-in with the builder), what
 * the builder alone needs, what it shares with other screens, and the texts of each. The rest is left to the bundler, and the chat page
 * keeps to what is its own. First modules of pages stay by themselves: the manifest knows them by their names.
 */
function chunkOf(id: string, graph: Graph): string | null {
  if (/[\\/]blocks[\\/][^\\/]+[\\/]en\.json$/.test(id)) return 'texts-of-blocks'
  if (BUILDER_TEXTS.test(id)) return 'texts-of-builder'
  const needs = (entry: string) => closureOf(entry, graph).has(id)
  if (id === app || id === builder || needs(chat)) return null
  if (needs(app)) return 'app'
  if (!needs(builder)) return null
  const others = (graph.getModuleInfo(routes)?.dynamicallyImportedIds ?? []).filter(
    (screen) => screen !== builder && needs(screen),
  )
  if (others.some((screen) => screen.includes('/screens/auth/'))) return 'app'
  return others.length > 0 ? 'shared' : 'builder'
}
/** The namespaces that the builder shows at once, or with its first panel. */
const BUILDER_TEXTS =
  /[\\/]i18n[\\/]en[\\/](builder|chatbots|comments|offline|presence|preview|problems|statistics|templates|testEffects|tests|text|variables|versions)\.json$/

/**
 * The interface shows flows and runs none. What only a run needs is left out where it is heavy: the rules for every country's phone
 * numbers are some 25 KB of what the builder waits for.
 */
const leaveOutRuns: Plugin = {
  name: 'leave-out-runs',
  enforce: 'pre',
  load(id) {
    if (id !== resolve(import.meta.dirname, 'engine/values/parsePhone.ts')) return null
    return 'export const parsePhone = () => { throw new Error("The interface runs no flows.") }'
  },
}

/** The interface: the app (index.html) and the shared chat page (widget/chat.html). The server is built by server/cli/build.mjs. */
export default defineConfig({
  root: source,
  publicDir: false,
  plugins: [leaveOutRuns, react({ exclude: [/src\/widget\//, /node_modules/] })],
  build: {
    outDir: resolve(import.meta.dirname, 'build/parley/client'),
    emptyOutDir: true,
    manifest: 'manifest.json',
    target: 'es2022',
    chunkSizeWarningLimit: 1200,
    rollupOptions: {
      input: { app: resolve(source, 'index.html'), chat: resolve(source, 'widget/chat.html') },
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: (id, graph) => chunkOf(id, graph), debugName: 'what comes together' }],
        },
      },
    },
  },
})
