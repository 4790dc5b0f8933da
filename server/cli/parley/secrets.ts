import { registry } from '../../../blocks/registry'
import { namedInFlow } from '../../../engine/flow/namedInFlow'
import type { ChatbotFlows } from '../../../engine/flow/schema'
import { SECRET_NAME } from '../../../engine/values/secrets'
import { CliError } from './cliError'

/** The prefix of secrets in the environment: a flow must not read arbitrary variables. */
const PREFIX = 'SECRET_'

/**
 * Values of the secrets that flows refer to: `SECRET_NAME` in the environment, or from a file with `NAME=value` lines,
 * which wins.
 * @returns `missing`: the names without a value
 */
export function secretsFor(
  { main, others }: ChatbotFlows,
  environment: Readonly<Record<string, string | undefined>>,
  file: string | null,
): { values: ReadonlyMap<string, string>; missing: string[] } {
  const given = file === null ? new Map<string, string>() : readSecrets(file)
  const names = new Set(
    [main, ...others.map(({ flow }) => flow)].flatMap((flow) => namedInFlow(flow, registry, 'secrets')),
  )
  const values = new Map<string, string>()
  for (const name of names) {
    const value = given.get(name) ?? environment[PREFIX + name]
    if (value) values.set(name, value)
  }
  return { values, missing: [...names].filter((name) => !values.has(name)) }
}

/** Empty lines and comments (#) are skipped. Error messages never show values. */
function readSecrets(text: string): Map<string, string> {
  const lines = text.split(/\r?\n/).flatMap((line, at) => (/^\s*(?:#|$)/.test(line) ? [] : [{ line, number: at + 1 }]))
  return new Map(
    lines.map(({ line, number }) => {
      const at = line.indexOf('=')
      const name = line.slice(0, Math.max(0, at)).trim()
      if (!SECRET_NAME.test(name)) throw new CliError(`--secrets: line ${number} is not NAME=value.`)
      return [name, line.slice(at + 1).trim()] as const
    }),
  )
}
