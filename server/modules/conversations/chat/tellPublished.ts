import { type Consumer, defineConsumer } from '../../../platform/events/defineConsumer'
import { flowPublished } from '../../flows/events'
import { planChanged } from '../../web/events'
import type { Publications } from '../../web/publications'

/**
 * Tells open chats that another version of their flow is published, and that another plan decides what they show. Told
 * twice, they look twice.
 */
export const tellPublished = (publications: Publications): Consumer =>
  defineConsumer({
    name: 'published-flows',
    events: [flowPublished, planChanged],
    since: 'now',
    async handle(work, { type, projectId, payload }) {
      const chatbots = await work
        .selectFrom('chatbots')
        .select('id')
        .where('project_id', '=', projectId)
        .$if('chatbot' in payload, (query) => query.where('gid', '=', 'chatbot' in payload ? payload.chatbot : ''))
        .execute()
      for (const { id } of chatbots) publications.publish(id, type === 'plan.changed' ? 'web' : 'flow')
    },
  })
