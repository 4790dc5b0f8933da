import type { TicketCall } from '../../engine/effects/ticket'
import { listBrands, listForms, listGroups } from '../modules/integrations/zendesk/places'
import { openTickets } from '../modules/integrations/zendesk/tickets'
import { zendesk } from '../modules/integrations/zendesk/vendor'
import { connectByHand } from './connect'
import { headersLike } from './headers'
import type { VendorCheck } from './vendorCheck'

/** A call that changes nothing yet. */
const NOTHING: TicketCall = {
  connection: '',
  action: 'update',
  ticket: '',
  subject: '',
  comment: { body: '', public: false },
  requester: { name: '', email: '' },
  priority: null,
  type: null,
  status: null,
  tags: [],
  fields: [],
}

/** Zendesk, by a client of the account. */
export const zendeskCheck: VendorCheck = {
  name: 'Zendesk',
  variables: [
    { name: 'ZENDESK_SUBDOMAIN', what: 'what stands before “.zendesk.com”' },
    { name: 'ZENDESK_CHECK_CLIENT_ID', what: 'the identifier of a client of the account, which is confidential' },
    { name: 'ZENDESK_CHECK_CLIENT_SECRET', what: 'its secret', isSecret: true },
  ],
  writes:
    'one ticket without a requester to write to, with internal notes alone; it is solved, with the tag parley_check',
  async open(means) {
    const filled = {
      subdomain: means.value('ZENDESK_SUBDOMAIN'),
      clientId: means.value('ZENDESK_CHECK_CLIENT_ID'),
      clientSecret: means.value('ZENDESK_CHECK_CLIENT_SECRET'),
    }
    const { call, callAsStranger, account } = await connectByHand(means, zendesk, filled)
    const tickets = openTickets(call)

    return {
      account: account.name,
      async run({ report, mark, afterwards, ask }) {
        const note = (body: string) => ({ body: `${mark}: ${body}`, public: false })
        const asked: TicketCall = {
          ...NOTHING,
          action: 'create',
          subject: mark,
          comment: note('made'),
          tags: ['parley_check'],
        }
        const known = new Set<number>()
        const create = async (call: TicketCall, key: string) => {
          const ticket = await tickets.create(call, key)
          const solve = () => tickets.update(String(ticket.id), { ...NOTHING, status: 'solved' })
          if (!known.has(ticket.id)) afterwards(`ticket ${ticket.id}, solved`, solve)
          known.add(ticket.id)
          return ticket
        }
        const since = means.clock().getTime() - 60_000
        const made = await report.see('a ticket is created', 'its number', async () => {
          const { id, status } = await create(asked, mark)
          return { seen: `${id}, ${status}`, value: String(id) }
        })
        if (made === undefined) return
        await report.see('limits, by the answer’s headers', '200 calls in a minute or more', async () => {
          const headers = headersLike(means.last(), /rate-?limit/i)
          const most = Number(headers.find(([name]) => /^(x-rate-limit|ratelimit-limit)$/.test(name))?.[1])
          return { seen: headers.map((pair) => pair.join(': ')).join(', ') || 'none', holds: !(most < 200) }
        })
        await report.see('the same Idempotency-Key and body', 'the same ticket', async () => {
          const { id } = await create(asked, mark)
          return { seen: String(id), holds: String(id) === made }
        })
        await report.see('a note is added', 'found by its text', async () => {
          const comment = note('a note,\n  in two lines')
          await tickets.update(made, { ...NOTHING, comment })
          const isThere = await tickets.hasComment(made, { ...NOTHING, comment }, since)
          return { seen: isThere ? 'found' : 'not found', holds: isThere }
        })
        await report.see('a note with a file is added', 'the file hangs at it', async () => {
          const token = await tickets.upload({ name: `${mark}.txt`, bytes: new TextEncoder().encode(mark) })
          await tickets.update(made, { ...NOTHING, comment: note('with a file') }, [token])
          const isThere = JSON.stringify(means.last()?.body ?? null).includes(`${mark}.txt`)
          const opens = isThere || (await ask(`Has the last note of ticket ${made} the file ${mark}.txt?`))
          const looked = opens === null ? 'not asked' : opens ? 'there' : 'not there'
          return { seen: isThere ? 'named in the answer' : looked, holds: opens }
        })
        await report.see('tags are added', 'those that were there stay', async () => {
          await tickets.update(made, { ...NOTHING, tags: ['parley_second'] })
          const answer = JSON.stringify(means.last()?.body ?? null)
          const tags = ['parley_check', 'parley_second'].filter((tag) => answer.includes(`"${tag}"`))
          return { seen: tags.join(', '), holds: tags.length === 2 }
        })
        await report.see('its link opens the ticket', 'yes', async () => {
          const url = `${account.host}/agent/tickets/${made}`
          const opens = await ask(`Open ${url} in a browser. Does it show the ticket?`)
          return { seen: opens === null ? `not asked: ${url}` : opens ? 'yes' : `no: ${url}`, holds: opens }
        })
        await report.see('a ticket that is not there', 'none', async () => {
          const found = await tickets.get('999999999999')
          return { seen: found ? String(found.id) : 'none', holds: found === null }
        })
        for (const [name, list] of Object.entries({ groups: listGroups, brands: listBrands, forms: listForms }))
          await report.see(`${name} are listed`, 'one or more', async () => {
            const found = await list(call, { settings: means.config.vendors, within: [], search: '' })
            const names = found.slice(0, 5).map(({ label }) => label)
            // smaller plans have no forms to choose from
            return { seen: `${found.length}: ${names.join(', ')}`, holds: name === 'forms' || found.length > 0 }
          })
        await report.refused('the same Idempotency-Key with another body', 'refused', () =>
          create({ ...asked, subject: `${mark} 2` }, mark),
        )
        await report.refused('a requester whose address is none', 'refused', () =>
          create({ ...asked, requester: { name: mark, email: 'parley@not an address' } }, `${mark} 3`),
        )
        await report.refused('a token that is none', 'reconnect', () =>
          zendesk.check(callAsStranger, means.config.vendors),
        )
      },
    }
  },
}
