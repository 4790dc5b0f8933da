import type { Block, ChatbotFlows, Flow } from '../../../engine/flow/schema'
import type { VendorSlug } from '../../contracts/integrations'

/** The accounts that templates' blocks name, so that their tests have something to call. No project has one. */
const accounts: ReadonlyMap<string, VendorSlug> = new Map([
  ['templatesheets00', 'google-sheets'],
  ['templatehubspot0', 'hubspot'],
  ['templatezendesk0', 'zendesk'],
  ['templatecalendly', 'calendly'],
])

/** What a block chooses from its account, besides: another account has others. */
const chosen = ['spreadsheet', 'tab', 'eventType'] as const

/**
 * A template's flows with a project's own accounts: a block gets the one of its vendor, or none, which the checker then
 * asks for. What was chosen from the template's account is to be chosen anew.
 * @param own by vendor, of those that are not in question
 */
export function withOwnConnections({ main, others }: ChatbotFlows, own: ReadonlyMap<VendorSlug, string>): ChatbotFlows {
  const taken = (flow: Flow): Flow => ({
    ...flow,
    groups: flow.groups.map((group) => ({ ...group, blocks: group.blocks.map((block) => withOwn(block, own)) })),
  })
  return { main: taken(main), others: others.map((other) => ({ ...other, flow: taken(other.flow) })) }
}

function withOwn(block: Block, own: ReadonlyMap<VendorSlug, string>): Block {
  const vendor = vendorOf(block)
  if (!vendor) return block
  const anew = chosen.filter((field) => Object.hasOwn(block.data, field)).map((field) => [field, null])
  return { ...block, data: { ...block.data, ...Object.fromEntries(anew), connection: own.get(vendor) ?? null } }
}

const vendorOf = ({ data }: Block): VendorSlug | undefined =>
  typeof data.connection === 'string' ? accounts.get(data.connection) : undefined

/** The vendors whose accounts a template's blocks use. */
export function vendorsIn({ main, others }: ChatbotFlows): Set<VendorSlug> {
  const blocks = [main, ...others.map(({ flow }) => flow)].flatMap(({ groups }) =>
    groups.flatMap((group) => group.blocks),
  )
  return new Set(blocks.flatMap((block) => vendorOf(block) ?? []))
}
