import { Box, type LucideIcon } from 'lucide-react'
import type { BlockFace } from '../ui/blockFace'

const modules = import.meta.glob<BlockFace>('../../blocks/*/face.tsx', { eager: true, import: 'face' })

const faces = new Map(Object.entries(modules).map(([path, face]) => [path.split('/').at(-2) ?? '', face]))

/** The face of a kind; undefined for an unknown kind. Loaded eagerly: the layout needs heights synchronously. */
export const faceOf = (kind: string): BlockFace | undefined => faces.get(kind)

/** The icon of a kind; a box for an unknown one. */
export const iconOf = (kind: string): LucideIcon => faceOf(kind)?.icon ?? Box
