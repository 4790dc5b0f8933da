import { defineModule } from '../../platform/modules/defineModule'
import { billing } from '../billing/module'
import { flows } from '../flows/module'
import { handOff } from '../handOff/module'
import { integrations } from '../integrations/module'
import { knowledge } from '../knowledge/module'
import { mails } from '../mails/module'
import { models } from '../models/module'
import { onboarding } from '../onboarding/module'
import { createAgentActions } from './actions/createAgentActions'
import { sealPlainHeaders } from './actions/headerSecrets'
import { registerActions } from './actions/routes'
import { createAiHandlers } from './aiHandlers'
import { createAnswering } from './answering/createAnswering'
import { registerAnswers } from './answering/routes'
import { registerEvaluations } from './evaluations/routes'
import { runAfterTraining } from './evaluations/runAfterTraining'
import { evaluationRuns } from './evaluations/runQuestions'
import { registerInstructions } from './instructions/routes'
import { registerToolServers } from './toolServers/routes'
import { createToolServers } from './toolServers/toolServers'
import { createTranslator } from './translator/createTranslator'
import { registerTranslator } from './translator/routes'

const DAY = 24 * 60 * 60_000

export const agents = defineModule({
  name: 'agents',
  purpose: 'answers of a model from sources, its actions and tools, and evaluations',
  needs: { onboarding, billing, mails, handOff, models, flows, knowledge, integrations },
  tables: [
    'agent_actions',
    'agent_action_uses',
    'instruction_versions',
    'evaluation_questions',
    'evaluation_runs',
    'evaluation_results',
    'tool_servers',
  ],
  create(context, { mails: { send }, models, knowledge, integrations: { bookings } }) {
    const toolServers = createToolServers(context)
    const actions = createAgentActions(context, send, bookings, toolServers)
    const translator = createTranslator(context, models)
    const answering = createAnswering(context, { knowledge, models, actions })
    return {
      provides: { actions, answering, translator },
      routes(app) {
        registerAnswers(app, context, answering)
        registerEvaluations(app, context)
        registerActions(app, context, actions, models)
        registerInstructions(app, context)
        registerToolServers(app, context, toolServers)
        registerTranslator(app, context, translator)
      },
      jobs: [evaluationRuns(context, answering)],
      sweeps: [{ kind: 'seal-headers', every: DAY, sweep: () => sealPlainHeaders(context) }],
      consumers: [runAfterTraining(context)],
      effects: createAiHandlers(context, answering, models),
    }
  },
})
