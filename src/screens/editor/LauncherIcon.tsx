import { Hand, Headset, Image, type LucideIcon, MessageCircle, MessageCircleQuestionMark, Sparkles } from 'lucide-react'
import type { Look } from '../../../server/contracts/web/look'

const icons: Record<Look['launcher']['icon'], LucideIcon> = {
  chat: MessageCircle,
  question: MessageCircleQuestionMark,
  spark: Sparkles,
  hand: Hand,
  headset: Headset,
  image: Image,
}

/** What stands in the launcher: one of ours, or a picture of one's own. */
export function LauncherIcon({ icon, image, size }: { icon: Look['launcher']['icon']; image: string; size: number }) {
  const Icon = icons[icon]
  if (icon === 'image' && image !== '') return <img src={image} alt="" width={size} height={size} />
  return <Icon size={size} aria-hidden />
}
