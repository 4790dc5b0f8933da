import type { ServerContext } from '../../platform/context'
import type { FlowFiles } from './flowFiles'
import type { Operation } from './operation'
import { chatbotOperations } from './operations/chatbots'
import { contactOperations } from './operations/contacts'
import { conversationOperations } from './operations/conversations'
import { eventOperations } from './operations/events'
import { exportOperations } from './operations/exports'
import { flowOperations } from './operations/flows'
import { knowledgeOperations } from './operations/knowledge'
import { usageOperations } from './operations/usage'
import { webhookOperations } from './operations/webhooks'

/** All that the API can do, in the order of the reference. */
export const listOperations = ({ ids }: Pick<ServerContext, 'ids'>, files: FlowFiles): readonly Operation[] => [
  ...chatbotOperations,
  ...flowOperations(files),
  ...conversationOperations(ids),
  ...contactOperations,
  ...knowledgeOperations,
  ...webhookOperations,
  ...eventOperations,
  ...exportOperations,
  ...usageOperations,
]
