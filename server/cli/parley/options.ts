import { type ParseArgsConfig, parseArgs } from 'node:util'
import { CliError } from './cliError'
import { type CommandName, usages } from './usage'

type Options = NonNullable<ParseArgsConfig['options']>

/**
 * Parses a command's options.
 * @param counts the least and the most files that it takes
 * @throws CliError with the command's usage
 */
export function readOptions<const Given extends Options>(
  command: CommandName,
  args: string[],
  options: Given,
  counts: { least: number; most: number },
) {
  const refuse = (problem: string): never => {
    throw new CliError(`${problem}\n\n${usages[command]}`)
  }
  const parsed = (() => {
    try {
      return parseArgs({ args, options, allowPositionals: true })
    } catch (error) {
      return refuse(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error))
    }
  })()
  const { positionals } = parsed
  if (positionals.length < counts.least)
    refuse(
      command === 'events'
        ? 'Say what to do.'
        : command === 'restore'
          ? 'Give a backup.'
          : command === 'data'
            ? 'Say what to do, and give a folder.'
            : `Give ${counts.least === 1 ? 'a file' : 'a flow and at least one test'}.`,
    )
  if (positionals.length > counts.most) refuse(`There is one argument too many: ${positionals[counts.most]}`)
  return { values: parsed.values, files: positionals as [string, ...string[]] }
}
