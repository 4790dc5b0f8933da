import { z } from 'zod'
import { chatbotName } from '../../contracts/chatbots'
import { templateCategories } from '../../contracts/templates'

/** What about.json says of a template: in English, as the flow itself. */
export const aboutSchema = z.strictObject({
  title: chatbotName,
  category: z.enum(templateCategories),
  tags: z.array(z.string().min(1).max(30)).min(1).max(5),
  /** one or two sentences on what visitors get out of it */
  description: z.string().min(1).max(200),
  /** what whoever takes it still has to fill in, step by step */
  setup: z.array(z.string().min(1).max(250)).min(1).max(6),
})
export type About = z.infer<typeof aboutSchema>
