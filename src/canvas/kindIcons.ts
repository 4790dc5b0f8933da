import {
  Box,
  CircleStop,
  CornerUpRight,
  Hash,
  Image,
  type LucideIcon,
  Mail,
  MessageSquare,
  MousePointerClick,
  Play,
  Puzzle,
  Split,
  TextCursorInput,
  Variable,
} from 'lucide-react'

/** The icons that kinds name. Listed, since importing lucide by name would bundle all of it. */
const icons: Readonly<Record<string, LucideIcon>> = {
  'circle-stop': CircleStop,
  'corner-up-right': CornerUpRight,
  hash: Hash,
  image: Image,
  mail: Mail,
  'message-square': MessageSquare,
  'mouse-pointer-click': MousePointerClick,
  play: Play,
  puzzle: Puzzle,
  split: Split,
  'text-cursor-input': TextCursorInput,
  variable: Variable,
}

export const hasIcon = (name: string): boolean => name in icons

/** The icon of that name; a box where the name is not listed. */
export const iconOf = (name: string): LucideIcon => icons[name] ?? Box
