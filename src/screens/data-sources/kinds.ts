import { FileText, Globe, type LucideIcon, MessageCircleQuestion, TextQuote } from 'lucide-react'
import type { Source, SourceKind } from '../../../server/contracts/sources'
import { underWay } from '../../api/sources'

/** What each kind of source looks like. */
export const kindIcons: Record<SourceKind, LucideIcon> = {
  link: Globe,
  faq: MessageCircleQuestion,
  text: TextQuote,
  document: FileText,
}

/** Whether reading it anew may give something else: a page may have changed, and what failed may be better now. */
export const mayBeReadAgain = ({ kind, status }: Source): boolean =>
  !underWay.includes(status) && (kind === 'link' || status !== 'ready')
