/** What went wrong elsewhere, and the tests here that would go red if it happened to us. */
interface Lesson {
  /** as the rule that follows from it */
  rule: string
  /** products whose advisories taught it, with numbers where we have checked them */
  from: string
  /** by file, the names of tests as they are written there */
  keptBy: Readonly<Record<string, readonly string[]>>
}

const routes = 'tests/security/routes.test.ts'
const strategies = 'server/access/strategies.test.ts'
const own = 'tests/security/lessons.test.ts'

export const lessons: readonly Lesson[] = [
  {
    rule: 'a route without a rule of access does not start',
    from: 'Langflow: code was checked, and run, for anybody (CVE-2025-3248)',
    keptBy: {
      [routes]: [
        'is closed to who is not logged in',
        'a route without a rule of access, or with one that roles map or plans lack, is refused at the start',
      ],
    },
  },
  {
    rule: 'an id in an address, a body or a query is looked up within the project of the caller',
    from: 'Flowise, Dify: rows of other workspaces by their ids',
    keptBy: {
      'tests/security/tenancy.test.ts': [
        'a row of another project is neither found nor changed by any parameter, in any role',
        'a route that forgets the project is found',
      ],
      [routes]: ["knows nothing of another project's ids"],
    },
  },
  {
    rule: 'each route asks for a right of the roles map, and each role is tried at each',
    from: 'Dify, NocoDB: members called what only admins may',
    keptBy: { [routes]: ['asks the role', 'is not there for who does not run the installation'] },
  },
  {
    rule: 'a body has the fields of its schema and no others',
    from: 'NocoDB, Flowise: fields that no form has were stored as they came',
    keptBy: { [routes]: ['refuses fields that are missing, unknown, too long or of a wrong type'] },
  },
  {
    rule: 'what a visitor sends never replaces what an editor built',
    from: 'Langflow: a call of a public flow could bring a flow of its own (CVE-2026-33017)',
    keptBy: { [own]: ['a visitor who sends a flow along starts the published one, or nothing'] },
  },
  {
    rule: 'a link for a new password is in its mail alone, and an empty one fits nobody',
    from: 'Flowise: the answer held the token (CVE-2025-58434)',
    keptBy: {
      [own]: ['a reset without a token, or with one that is none, resets nobody'],
      'server/modules/accounts/password-reset/reset.test.ts': [
        'a link from a mail sets a new password, ends every session, and a mail tells',
      ],
    },
  },
  {
    rule: 'asking for a new password tells nobody who has an account',
    from: 'NocoDB: another answer for addresses without one (CVE-2022-22120)',
    keptBy: {
      'server/modules/accounts/auth/registration.test.ts': ['whether there is an account, only its mail tells'],
      'server/modules/accounts/auth/routes.test.ts': [
        'a wrong password and an unknown email get the same answer; the sixth failure in a minute is refused',
      ],
    },
  },
  {
    rule: 'a new password ends every session',
    from: 'NocoDB: old sessions went on',
    keptBy: {
      'server/modules/accounts/password-reset/reset.test.ts': [
        'a link from a mail sets a new password, ends every session, and a mail tells',
        'a login with the old password that is under way opens no session once there is a new one',
      ],
    },
  },
  {
    rule: 'a key opens its own project with its own scope, and nothing else',
    from: 'Typebot, NocoDB: tokens that were good for more than they were made for',
    keptBy: {
      [strategies]: [
        'a key that may read reads, one that may write does both, and neither calls what takes no keys',
        'a key acts in its own project alone, though its holder is in others',
      ],
    },
  },
  {
    rule: 'who calls is what a trusted proxy says, never what the caller says',
    from: 'Fastify: names and schemes of headers from anybody (CVE-2026-3635)',
    keptBy: {
      'server/platform/http/callerAddress.test.ts': [
        'what a caller writes himself is ignored when nobody, or another address, is trusted',
        'of two proxies in a row the outer one’s word is taken, and what was there before it is not',
      ],
    },
  },
  {
    rule: 'every call to an address that somebody gave goes through the guard',
    from: 'Typebot, Dify, Flowise: requests to metadata and to hosts inside',
    keptBy: {
      'server/platform/outbound/hostile.test.ts': [
        'there are at least 44 hostile addresses',
        'a name that rebinds is resolved once, and connected to what was judged',
      ],
    },
  },
  {
    rule: 'no project is no tenant: an empty id finds nothing instead of everything',
    from: 'Dify: a tenant that was null matched all rows',
    keptBy: { [own]: ['a project id that is empty, null or zero sees no row'] },
  },
  {
    rule: 'a webhook is read once its signature is right',
    from: 'n8n, Flowise: webhooks that took unsigned calls',
    keptBy: {
      [strategies]: ['a webhook is taken when its bytes are signed with its secret, and never read otherwise'],
    },
  },
  {
    rule: 'a secret is in no answer, no log and no table as it is',
    from: 'Flowise, Typebot: credentials in what the builder loads',
    keptBy: {
      'tests/security/secrets.test.ts': [
        'a secret is sent where it stands, and is in no answer for any role, no log and no table',
      ],
    },
  },
  {
    rule: 'a file belongs to a project, and is found by an address that nobody can guess',
    from: 'Dify, Flowise: files by names of one’s choice',
    keptBy: {
      'server/modules/conversations/files/routes.test.ts': [
        'who is no member may not upload, nor may a viewer; nothing is stored',
        'an address without a file is not found: of another form, unknown, or lost on the disk',
      ],
    },
  },
  {
    rule: 'an imported file is data: nothing in it runs, and what is unknown is kept apart',
    from: 'Langflow, Flowise: code in the file of a flow',
    keptBy: {
      'engine/interop/importFlow.fuzz.test.ts': ['texts cut or changed anywhere are imported or refused in words'],
      'engine/expression/expression.test.ts': ["({}).constructor.constructor('return 1')()"],
    },
  },
  {
    rule: 'a body is read as JSON by its schema, whatever its type is called',
    from: 'Fastify (CVE-2025-32442, CVE-2026-25223), n8n (CVE-2026-21858): another type, no check',
    keptBy: { [own]: ['however the type of a body is written, it is checked or refused'] },
  },
  {
    rule: 'no name in a body reaches a prototype',
    from: 'n8n, Flowise: __proto__ in what was merged',
    keptBy: {
      [routes]: ['reads no body above 1 MiB, and no other than JSON'],
      'server/platform/http/jsonBody.test.ts': ['writing to a prototype'],
    },
  },
  {
    rule: 'no address leads out of the folder that is served, and no name into a header',
    from: 'NocoDB, Langflow: paths and names of files',
    keptBy: {
      'server/app.test.ts': ['%s is not found, in JSON, or the page for that; never a file outside'],
      [own]: ['no address leads out of what is served', 'the name of a file ends no header'],
      'server/platform/mail/content.test.ts': ['line breaks end no header: they become spaces'],
    },
  },
  {
    rule: 'what a visitor types is text: it is not rendered again, and no formula of a sheet',
    from: 'n8n (CVE-2026-27493), NocoDB (CVE-2022-22121): input that was evaluated',
    keptBy: {
      'tests/security/secrets.test.ts': ['what a visitor types is never taken for a secret’s name'],
      'engine/expression/expression.test.ts': ["constructor.constructor('return process')()"],
      'server/modules/exports/exports.test.ts': [
        'makes an export once, and a file of each format from it, in which no text is a formula',
      ],
    },
  },
  {
    rule: 'what unpacks to more than it may is cut while it unpacks',
    from: 'Dify, Langflow: small archives of many gigabytes',
    keptBy: {
      'server/platform/outbound/outboundFetch.test.ts': [
        'what is packed twice is unpacked twice; what unpacks to too much is cut',
      ],
      'server/modules/knowledge/documents/documents.test.ts': [
        'a zip that says it holds more than an honest document is not unpacked',
      ],
    },
  },
]
