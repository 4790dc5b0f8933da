import { z } from 'zod'
import { chatbotName } from '../../contracts/chatbots'
import { templateCategories } from '../../contracts/templates'

/** The content of a template's about.json: in English, like the flow. Other languages have an about.<language>.json. */
export const aboutSchema = z.strictObject({
  title: chatbotName,
  category: z.enum(templateCategories),
  tags: z.array(z.string().min(1).max(30)).min(1).max(5),
  /** one or two sentences on the benefit for visitors */
  description: z.string().min(1).max(200),
  /** what the user still has to fill in, step by step */
  setup: z.array(z.string().min(1).max(250)).min(1).max(6),
})
export type About = z.infer<typeof aboutSchema>

/** The same in another language of the interface; what the flow itself says stays English. */
export const translatedAboutSchema = aboutSchema.omit({ category: true })
export type TranslatedAbout = z.infer<typeof translatedAboutSchema>
