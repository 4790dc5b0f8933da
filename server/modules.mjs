/**
 * The server's modules, lowest first: what each is there for, and which of those above it in this list it may import. dependency-cruiser
 * holds each to it, types included (.dependency-cruiser.mjs); `npm run check -- graph` prints it.
 */
export const modules = {
  onboarding: { purpose: 'what of a project’s first steps is done', needs: [] },
  billing: { purpose: 'credits: reserved, settled, counted by month', needs: [] },
  secrets: { purpose: 'values that flows refer to by name', needs: [] },
  statistics: { purpose: 'counts of visits, by group and edge', needs: [] },
  contacts: { purpose: 'who visitors said that they are', needs: [] },
  mails: { purpose: 'a project’s mails: sent once, or kept in its outbox', needs: ['billing'] },
  notifications: { purpose: 'mails about credits that run out', needs: ['billing', 'mails'] },
  handOff: { purpose: 'a conversation is given to the team by mail', needs: ['mails'] },
  models: {
    purpose: 'providers of models, their keys, and what a call of them gives',
    needs: ['onboarding', 'billing'],
  },
  knowledge: {
    purpose: 'sources, their passages, and which of them answer',
    needs: ['onboarding', 'billing', 'models'],
  },
  flows: { purpose: 'drafts, versions, comments, and editing them together', needs: ['mails', 'secrets'] },
  templates: { purpose: 'flows to begin with', needs: ['flows'] },
  agents: {
    purpose: 'answers of a model from sources, its actions and tools, and evaluations',
    needs: ['onboarding', 'billing', 'mails', 'handOff', 'models', 'flows', 'knowledge'],
  },
  conversations: {
    purpose: 'carries out flows turn by turn, for visitors of the chat page',
    needs: ['models', 'flows', 'templates', 'statistics', 'knowledge', 'agents'],
  },
  testing: {
    purpose: 'previews of a draft, and conversations kept as tests',
    needs: ['secrets', 'flows', 'conversations'],
  },
  chatbots: {
    purpose: 'a chatbot’s life: made, copied, deleted, with all that belongs to it',
    needs: ['secrets', 'flows', 'templates', 'knowledge', 'agents', 'conversations', 'testing'],
  },
  accounts: {
    purpose: 'people, their sessions and passwords, projects’ members and invitations',
    needs: ['onboarding', 'mails', 'flows', 'chatbots'],
  },
  projects: {
    purpose: 'a project’s life, and the account object that the interface begins with',
    needs: ['onboarding', 'billing', 'models', 'flows', 'knowledge', 'agents', 'conversations', 'chatbots', 'accounts'],
  },
  mcp: { purpose: 'the same for programs, by the model context protocol', needs: ['secrets', 'flows'] },
  operations: { purpose: 'what the operator sees: probes, jobs that failed', needs: [] },
}

/** Below all modules; each may import those before it. */
export const layers = {
  contracts: 'routes as data, and the shapes that the interface shares',
  platform: 'configuration, database, jobs, bus, files, threads, mail, calls outside, HTTP; knows no module',
  access: 'roles, sessions, keys, plans; registers a route for who may call it',
}
