import { z } from 'zod'
import { caps } from '../../engine/values/caps'
import { plainRichText, richTextSchema } from '../../engine/values/richText'

export const textSchema = z.strictObject({ content: richTextSchema(caps.text) })
export type TextData = z.infer<typeof textSchema>
export const textDefaults = (): TextData => ({ content: plainRichText('') })
