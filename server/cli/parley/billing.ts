import { createStripe } from '../../modules/subscriptions/stripe/createStripe'
import { asking } from '../../modules/subscriptions/stripe/explainStripe'
import { syncPrices } from '../../modules/subscriptions/stripe/prices'
import { parseConfig } from '../../platform/config/config'
import { ApiError } from '../../platform/errors'
import { CliError } from './cliError'
import { readOptions } from './options'
import { usages } from './usage'

/** `parley billing sync-prices`: makes the products and prices of all plans and add-ons at Stripe. */
export async function billingCommand(args: string[]): Promise<number> {
  const { files } = readOptions('billing', args, {}, { least: 0, most: 1 })
  if ((files as string[])[0] !== 'sync-prices') throw new CliError(`Say what to do.\n\n${usages.billing}`)
  const config = parseConfig(process.env)
  if (!config.stripe) throw new CliError('Give BILLING=on and STRIPE_SECRET_KEY, as the server has them.')
  const stripe = createStripe(config)
  const done = await asking(async () => syncPrices(await stripe())).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'billing_unset')
      throw new CliError('Stripe does not take this key: it needs to read and write products and prices.')
    if (error instanceof ApiError) throw new CliError(error.message)
    throw error
  })
  for (const line of done) print(line)
  print(done.length === 0 ? 'All products and prices are there.' : `${done.length} made or changed.`)
  return 0
}

const print = (line: string) => void process.stdout.write(`${line}\n`)
