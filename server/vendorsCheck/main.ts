import { createInterface } from 'node:readline/promises'
import { waitByTimer } from '../modules/integrations/calls/pace'
import { VendorError } from '../modules/integrations/calls/vendorError'
import { StartError } from '../platform/database/startError'
import { type CheckName, checks } from './checks'
import { CheckRefused, runCheck } from './runCheck'
import { standIns } from './standIns'

/** Against a stand-in on this machine, without an account. */
const SANDBOX = '--sandbox'
/** Writes without asking. */
const YES = '--yes'

const say = (line: string) => process.stdout.write(`${line}\n`)

/** Runs `npm run vendors:check -- VENDOR [--sandbox] [--yes]`. @returns the exit code */
async function main(words: string[]): Promise<number> {
  const [name = '', ...more] = words.filter((word) => !word.startsWith('--'))
  const unknown = words.filter((word) => word.startsWith('--') && word !== SANDBOX && word !== YES)
  if (!isCheck(name) || more.length > 0 || unknown.length > 0) {
    say(`npm run vendors:check -- VENDOR [${SANDBOX}] [${YES}]\n`)
    for (const [known, { variables }] of Object.entries(checks))
      say(`  ${known.padEnd(14)} ${variables.map((one) => (one.isOptional ? `[${one.name}]` : one.name)).join(' ')}`)
    return 2
  }
  const clock = () => new Date()
  const started = words.includes(SANDBOX) ? await standIns[name]({ clock, limited: true }) : null
  // beside a stand-in, no variable of a real account counts
  const env = started ? started.env : process.env
  try {
    if (started) say('Against a stand-in on this machine: no vendor is called.')
    const isAgreed = words.includes(YES)
    const ask = isAgreed ? async () => null : askPerson
    const findings = await runCheck(checks[name], { env, clock, wait: waitByTimer, say, ask, isAgreed })
    const wrong = findings.filter(({ holds }) => holds === false).length
    say(wrong === 0 ? 'All as our code expects.' : `${wrong} of ${findings.length} otherwise than our code expects.`)
    return wrong === 0 ? 0 : 1
  } finally {
    await started?.standIn.close()
  }
}

const isCheck = (name: string): name is CheckName => Object.hasOwn(checks, name)

/** Null: nobody is there to ask. */
async function askPerson(question: string): Promise<boolean | null> {
  if (!process.stdin.isTTY) return null
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim())
  } finally {
    lines.close()
  }
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    const isKnown = error instanceof CheckRefused || error instanceof VendorError || error instanceof StartError
    process.stderr.write(`${isKnown || !(error instanceof Error) ? String((error as Error).message) : error.stack}\n`)
    process.exitCode = 2
  },
)
