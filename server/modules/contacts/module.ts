import { defineModule } from '../../platform/modules/defineModule'
import { createContactsHandler } from './contactsHandler'
import { registerContactFields } from './fields/routes'
import { contactImporter, forgetImports } from './imports/importContacts'
import { registerContactImports } from './imports/routes'
import { forgetMerges, registerMerges } from './merges/routes'
import { type Freshen, registerContacts } from './routes'
import { registerSegments } from './segments/routes'

const HOUR = 60 * 60_000

export const contacts = defineModule({
  name: 'contacts',
  purpose: 'who visitors said that they are',
  needs: {},
  tables: [
    'contacts',
    'contact_calls',
    'contact_fields',
    'contact_segments',
    'contact_imports',
    'contact_import_parts',
    'contact_import_lines',
    'contact_merges',
  ],
  create: (context) => {
    const freshen: Freshen[] = []
    return {
      /** what modules above keep up in their own time is brought up to date before a person's timeline is read */
      provides: { freshen },
      routes(app) {
        registerContacts(app, context, freshen)
        registerContactFields(app, context)
        registerSegments(app, context)
        registerContactImports(app, context)
        registerMerges(app, context)
      },
      jobs: [contactImporter(context)],
      sweeps: [
        { kind: 'forget-contact-imports', every: HOUR, sweep: () => forgetImports(context) },
        { kind: 'forget-contact-merges', every: HOUR, sweep: () => forgetMerges(context) },
      ],
      effects: [createContactsHandler(context)],
    }
  },
})
