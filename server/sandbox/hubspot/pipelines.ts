import type { Pipeline } from './state'

export const newPipelines = (): Pipeline[] => [
  {
    id: '0',
    label: 'Support pipeline',
    stages: [
      { id: '1', label: 'New', isClosed: false },
      { id: '2', label: 'Waiting on contact', isClosed: false },
      { id: '3', label: 'Waiting on us', isClosed: false },
      { id: '4', label: 'Closed', isClosed: true },
    ],
  },
]

const AT = '2026-01-01T00:00:00.000Z'

export const presentPipeline = ({ id, label, stages }: Pipeline, at: number) => ({
  id,
  label,
  displayOrder: at,
  createdAt: AT,
  updatedAt: AT,
  archived: false,
  stages: stages.map((stage, order) => ({
    id: stage.id,
    label: stage.label,
    displayOrder: order,
    metadata: { ticketState: stage.isClosed ? 'CLOSED' : 'OPEN', isClosed: String(stage.isClosed) },
    createdAt: AT,
    updatedAt: AT,
    archived: false,
  })),
})
