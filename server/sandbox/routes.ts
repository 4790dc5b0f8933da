import type { Answer, Call } from './call'

/** A path as a contract writes it: `/v4/spreadsheets/{spreadsheetId}/values/{range}:append`. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /** any one of these scopes is enough; absent: no token is asked for */
  scopes?: readonly string[]
  /** whoever has no token may call it as well, and sees what is public */
  guests?: true
  /** whether it counts against a limit of its own, such as reads apart from writes */
  counts?: string
  /** pages for people and what only the sandbox has: in no contract, without faults, not recorded */
  ours?: true
  handle: (call: Call) => Answer | Promise<Answer>
}

interface Compiled {
  route: Route
  pattern: RegExp
  names: string[]
  /** more literal characters win: `values:batchGet` over `{anything}` */
  weight: number
}

/** @returns a function that finds the route of a method and path, with the values of its names */
export function compileRoutes(routes: readonly Route[]) {
  const compiled = routes.map(compileRoute).sort((a, b) => b.weight - a.weight)
  return (method: string, path: string): { route: Route; params: Record<string, string> } | null => {
    for (const { route, pattern, names } of compiled) {
      const found = route.method === method ? pattern.exec(path) : null
      if (!found) continue
      const values = found.slice(1).map(decodePart)
      if (values.includes(null)) continue
      return { route, params: Object.fromEntries(names.map((name, at) => [name, values[at] ?? ''])) }
    }
    return null
  }
}

function compileRoute(route: Route): Compiled {
  const names: string[] = []
  const source = route.path
    .split(/(\{[^}]+\})/)
    .map((part) => {
      if (!part.startsWith('{')) return part.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
      names.push(part.slice(1, -1))
      return '([^/]+?)'
    })
    .join('')
  const literal = route.path.replace(/\{[^}]+\}/g, '')
  return { route, pattern: new RegExp(`^${source}$`), names, weight: literal.length * 10 - names.length }
}

function decodePart(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
