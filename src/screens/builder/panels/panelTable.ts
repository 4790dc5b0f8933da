import {
  Braces,
  ChartNoAxesCombined,
  CircleAlert,
  FlaskConical,
  History,
  Layers,
  type LucideIcon,
  MessagesSquare,
  Search,
} from 'lucide-react'
import { type LazyPart, lazyPart } from '../../../api/lazyPart'

export interface Panel {
  /** named by `panels.<id>` of the namespace `builder` */
  id: string
  icon: LucideIcon
  /** keys that open it, as in an action */
  keys?: readonly string[]
  Component: LazyPart<{ onClose: () => void }>
}

/** The panels beside the canvas, in the order of the rail; one open at a time. */
export const panels: readonly Panel[] = [
  {
    id: 'problems',
    icon: CircleAlert,
    Component: lazyPart(async () => ({ default: (await import('./ProblemsPanel')).ProblemsPanel })),
  },
  {
    id: 'find',
    icon: Search,
    keys: ['mod+f'],
    Component: lazyPart(async () => ({ default: (await import('./FindPanel')).FindPanel })),
  },
  {
    id: 'variables',
    icon: Braces,
    Component: lazyPart(async () => ({ default: (await import('./VariablesPanel')).VariablesPanel })),
  },
  {
    id: 'comments',
    icon: MessagesSquare,
    Component: lazyPart(async () => ({ default: (await import('./CommentsPanel')).CommentsPanel })),
  },
  {
    id: 'tests',
    icon: FlaskConical,
    Component: lazyPart(async () => ({ default: (await import('./TestsPanel')).TestsPanel })),
  },
  {
    id: 'versions',
    icon: Layers,
    Component: lazyPart(async () => ({ default: (await import('./VersionsPanel')).VersionsPanel })),
  },
  {
    id: 'history',
    icon: History,
    Component: lazyPart(async () => ({ default: (await import('./HistoryPanel')).HistoryPanel })),
  },
  {
    id: 'statistics',
    icon: ChartNoAxesCombined,
    Component: lazyPart(async () => ({ default: (await import('./StatisticsPanel')).StatisticsPanel })),
  },
]
