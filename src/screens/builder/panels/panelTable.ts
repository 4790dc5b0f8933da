import {
  BookmarkCheck,
  Braces,
  ChartNoAxesCombined,
  CircleAlert,
  History,
  type LucideIcon,
  MessagesSquare,
  Search,
  Undo2,
} from 'lucide-react'
import { type ComponentType, lazy } from 'react'

export interface Panel {
  /** `panels.<id>` of the namespace `builder` names it */
  id: string
  icon: LucideIcon
  /** open it, as those of an action do */
  keys?: readonly string[]
  /** px, until somebody drags its edge */
  width: number
  Component: ComponentType<{ onClose: () => void }>
}

/** The panels beside the canvas, in the order of the rail; one open at a time. */
export const panels: readonly Panel[] = [
  {
    id: 'problems',
    icon: CircleAlert,
    width: 340,
    Component: lazy(async () => ({ default: (await import('./ProblemsPanel')).ProblemsPanel })),
  },
  {
    id: 'find',
    icon: Search,
    width: 340,
    keys: ['mod+f'],
    Component: lazy(async () => ({ default: (await import('./FindPanel')).FindPanel })),
  },
  {
    id: 'variables',
    icon: Braces,
    width: 340,
    Component: lazy(async () => ({ default: (await import('./VariablesPanel')).VariablesPanel })),
  },
  {
    id: 'comments',
    icon: MessagesSquare,
    width: 340,
    Component: lazy(async () => ({ default: (await import('./CommentsPanel')).CommentsPanel })),
  },
  {
    id: 'tests',
    icon: BookmarkCheck,
    width: 360,
    Component: lazy(async () => ({ default: (await import('./TestsPanel')).TestsPanel })),
  },
  {
    id: 'versions',
    icon: History,
    width: 340,
    Component: lazy(async () => ({ default: (await import('./VersionsPanel')).VersionsPanel })),
  },
  {
    id: 'history',
    icon: Undo2,
    width: 320,
    Component: lazy(async () => ({ default: (await import('./HistoryPanel')).HistoryPanel })),
  },
  {
    id: 'statistics',
    icon: ChartNoAxesCombined,
    width: 360,
    Component: lazy(async () => ({ default: (await import('./StatisticsPanel')).StatisticsPanel })),
  },
]
