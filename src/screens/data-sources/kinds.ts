import { FileText, Globe, type LucideIcon, MessageCircleQuestion, TextQuote } from 'lucide-react'
import type { Source, SourceKind } from '../../../server/contracts/sources'
import { underWay } from '../../api/sources'

/** The icon of each kind of source. */
export const kindIcons: Record<SourceKind, LucideIcon> = {
  link: Globe,
  faq: MessageCircleQuestion,
  text: TextQuote,
  document: FileText,
}

/** Whether reading it again may change anything: pages change, and failures may be temporary. */
export const mayBeReadAgain = ({ kind, status }: Source): boolean =>
  !underWay.includes(status) && (kind === 'link' || status !== 'ready')
