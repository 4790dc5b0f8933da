import { defineModule } from '../../platform/modules/defineModule'
import { createIssuer } from './acme/createIssuer'
import { createCare } from './care'
import { createChecks } from './checks'
import { createDns } from './dns'
import { createHosts } from './hosts'
import { registerPublicDomains } from './publicRoutes'
import { registerDomains } from './routes'
import { createContexts } from './tls/contexts'
import { createListeners } from './tls/listeners'

export const domains = defineModule({
  name: 'domains',
  purpose: 'chatbots’ own hosts: whose they are, where they lead, and their TLS',
  needs: {},
  tables: ['custom_domains', 'acme_challenges', 'acme_accounts'],
  create(context) {
    const { mode, dnsServers } = context.config.domains
    const hosts = createHosts(context)
    const checks = createChecks(context.config, createDns(dnsServers))
    const care = createCare(context, checks, hosts, mode === 'builtin' ? createIssuer(context) : null)
    const listeners = mode === 'proxy' ? null : createListeners(context.config, hosts, createContexts(context, hosts))
    return {
      /** `listeners`: null if a proxy terminates TLS */
      provides: { hosts, listeners },
      routes(app) {
        registerDomains(app, context, hosts)
        registerPublicDomains(app, context, hosts)
      },
      jobs: [care.job],
      stop() {
        listeners?.stop()
        care.stop()
      },
      async close() {
        listeners?.close()
        hosts.close()
      },
    }
  },
})
