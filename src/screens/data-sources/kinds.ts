import { FileText, Globe, type LucideIcon, MessageCircleQuestion, TextQuote } from 'lucide-react'
import type { SourceKind } from '../../../server/api/sources/contract'

/** What each kind of source looks like. */
export const kindIcons: Record<SourceKind, LucideIcon> = {
  link: Globe,
  faq: MessageCircleQuestion,
  text: TextQuote,
  document: FileText,
}
