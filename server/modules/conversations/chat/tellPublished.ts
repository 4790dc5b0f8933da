import { type Consumer, defineConsumer } from '../../../platform/events/createConsumers'
import { flowPublished } from '../../flows/events'
import type { Publications } from '../../web/publications'

/** Tells open chats that another version of their flow is published. Told twice, they look twice. */
export const tellPublished = (publications: Publications): Consumer =>
  defineConsumer({
    name: 'published-flows',
    events: [flowPublished],
    since: 'now',
    async handle(work, { projectId, payload }) {
      const chatbot = await work
        .selectFrom('chatbots')
        .select('id')
        .where('project_id', '=', projectId)
        .where('gid', '=', payload.chatbot)
        .executeTakeFirst()
      if (chatbot) publications.publish(chatbot.id, 'flow')
    },
  })
