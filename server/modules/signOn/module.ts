import { defineModule } from '../../platform/modules/defineModule'
import { accounts } from '../accounts/module'
import { createDns } from '../domains/dns'
import { domains } from '../domains/module'
import { flows } from '../flows/module'
import { createDomainProof } from './domains'
import { registerEntry } from './entryRoutes'
import { createProvider } from './provider'
import { registerSignOn } from './routes'
import { serveScim } from './scim/serveScim'
import { registerScimToken } from './scim/tokenRoutes'

const HOUR = 60 * 60_000

export const signOn = defineModule({
  name: 'signOn',
  purpose: 'sign-on by the identity provider of a project’s organisation: whom it lets in, and in which roles',
  needs: { accounts, domains, flows },
  tables: [
    'sign_on_connections',
    'sign_on_domains',
    'sign_on_people',
    'sign_on_attempts',
    'scim_tokens',
    'scim_groups',
    'scim_group_members',
  ],
  create(context, { flows: { documents } }) {
    const provider = createProvider(context)
    const proof = createDomainProof(context, createDns(context.config.domains.dnsServers))
    return {
      routes(app) {
        registerSignOn(app, context, { provider, proof, documents })
        registerScimToken(app, context)
        serveScim(app, context, (userId) => documents.rightsChanged(userId))
        registerEntry(app, context, { provider, documents })
      },
      sweeps: [{ kind: 'check-sign-on-domains', every: HOUR, sweep: () => proof.recheck() }],
    }
  },
})
