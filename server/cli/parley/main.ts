import { StartError } from '../../platform/database/startError'
import { adminCommand } from './admin'
import { backupCommand, restoreCommand } from './backup'
import { billingCommand } from './billing'
import { checkCommand } from './check'
import { CliError } from './cliError'
import { exportCommand, importCommand, layoutCommand } from './convert'
import { dataCommand } from './data'
import { eventsCommand } from './events'
import { filesCommand } from './files'
import { planCommand } from './plan'
import { runCommand } from './run'
import { testCommand } from './test'
import { type CommandName, usages, wholeUsage } from './usage'

const commands: Record<CommandName, (args: string[]) => Promise<number>> = {
  run: runCommand,
  check: checkCommand,
  test: testCommand,
  import: importCommand,
  export: exportCommand,
  layout: layoutCommand,
  events: eventsCommand,
  plan: planCommand,
  admin: adminCommand,
  billing: billingCommand,
  backup: backupCommand,
  restore: restoreCommand,
  data: dataCommand,
  files: filesCommand,
}

/** Runs a command line. @returns the exit code */
async function main([name = 'help', ...args]: string[]): Promise<number> {
  const isCommand = (word: string): word is CommandName => Object.hasOwn(commands, word)
  if (isCommand(name) && !args.includes('--help')) return commands[name](args)
  const topic = isCommand(name) ? name : (args[0] ?? '')
  if (isCommand(name) || ['help', '--help', '-h'].includes(name)) {
    process.stdout.write(`${isCommand(topic) ? usages[topic] : wholeUsage}\n`)
    return 0
  }
  throw new CliError(`There is no command "${name}".\n\n${wholeUsage}`)
}

// the reader may close the pipe early: parley check … | head
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    const known =
      error instanceof CliError || error instanceof StartError
        ? error.message
        : error instanceof Error
          ? error.stack
          : String(error)
    process.stderr.write(`parley: ${known}\n`)
    process.exitCode = 2
  },
)
