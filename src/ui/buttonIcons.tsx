import { BookOpen, Columns3, Copy, Plus, RotateCcw } from 'lucide-react'
import type { ReactNode } from 'react'

/** The icons that buttons have by name (SPEC.md 9). */
export const buttonIcons = {
  reset: <RotateCcw size={15} aria-hidden />,
  compare: <Columns3 size={15} aria-hidden />,
  plus: <Plus size={15} aria-hidden />,
  docs: <BookOpen size={15} aria-hidden />,
  copy: <Copy size={15} aria-hidden />,
} as const satisfies Record<string, ReactNode>
