/** The faces' contract stands in src/ui, where blocks may import it. */
export { type BlockFace, type FaceNames, type FaceProps, faceMetrics } from '../ui/blockFace'
