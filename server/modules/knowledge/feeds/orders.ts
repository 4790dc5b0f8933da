import { isIP } from 'node:net'
import type { z } from 'zod'
import type { addFeed, FeedOptions } from '../../../contracts/feeds'
import type { ServerContext } from '../../../platform/context'
import { fieldError } from '../../../platform/errors'
import { networksAt } from '../../../platform/outbound/operatorNetworks'
import { VendorError } from '../../integrations/calls/vendorError'
import type { Accounts } from '../../integrations/connections/accounts'
import { salesforce } from '../../integrations/salesforce/vendor'
import { createProjectSecrets } from '../../secrets/projectSecrets'
import { addressProblem } from '../page/addressProblem'
import { normalizeUrl } from '../page/normalizeUrl'

type Body = z.output<typeof addFeed.body>

/** What of other modules an order of a list may name. */
export type OrderSources = Pick<Accounts, 'open'>

interface Order {
  /** where it is; a chatbot follows one address once */
  url: string
  options: FeedOptions
  /** the field by which people know it */
  field: 'url' | 'language'
}

const INVALID = 'Enter a valid URL (must start with https:// or http://)'

/** Creates what checks the order of a list. Everything wrong is an ApiError with the message at its field. */
export function createOrders(context: ServerContext, { open }: OrderSources) {
  const secrets = createProjectSecrets(context)

  /** @returns a page's address as sources have it */
  async function addressOf(projectId: string, text: string): Promise<string> {
    // the sandbox's Zendesk is on this machine, and set by the operator
    const isOperators = networksAt(context.config.vendors.zendesk.url, text).length > 0
    const problem = isOperators ? null : await addressProblem(context, projectId, text)
    const url = normalizeUrl(text)
    if (problem || !url) throw fieldError('url', problem ?? INVALID)
    return url
  }

  async function readSalesforce(projectId: string, body: Body & { kind: 'salesforce' }): Promise<Order> {
    const { connection, language, fields } = body
    const { host } = await open(salesforce, projectId, connection).then(
      ({ account }) => account,
      (error: unknown) => {
        if (error instanceof VendorError) throw fieldError('connection', 'Choose a connection of Salesforce')
        throw error
      },
    )
    if (host === null) throw fieldError('connection', 'Connect it again under Integrations')
    // visitors are led there, and nothing is read there
    const site = body.site === '' ? '' : normalizeUrl(body.site)
    if (site === null) throw fieldError('site', INVALID)
    return { field: 'language', url: `${host}/knowledge/${language}`, options: { connection, language, fields, site } }
  }

  async function readGit(
    projectId: string,
    { url: text, branch, folder, secret }: Body & { kind: 'git' },
  ): Promise<Order> {
    const url = (await addressOf(projectId, text)).replace(/[?#].*$/, '')
    const { protocol, hostname } = new URL(url)
    if (secret !== undefined) {
      if (!(await secrets.namesOf(projectId)).includes(secret))
        throw fieldError('secret', `There is no secret “${secret}” any more. Choose another one`)
      // on this machine, or at an address that an owner has opened, nobody listens in between
      if (protocol === 'http:' && !isIP(hostname) && hostname !== 'localhost')
        throw fieldError('secret', 'A token is sent by https:// alone. Change the address')
    }
    return { field: 'url', url, options: { branch, folder, ...(secret !== undefined && { secret }) } }
  }

  return {
    /** Checks it, and says where the list is. @throws ApiError invalid */
    async read(projectId: string, body: Body): Promise<Order> {
      switch (body.kind) {
        case 'salesforce':
          return readSalesforce(projectId, body)
        case 'git':
          return readGit(projectId, body)
        default:
          return { field: 'url', url: await addressOf(projectId, body.url), options: {} }
      }
    },
  }
}
