import { z } from 'zod'
import { idSchema } from '../../engine/flow/schema'
import { caps, tooLong } from '../../engine/values/caps'

export const PATHS = { min: 2, max: 10 } as const

const pathSchema = z.strictObject({
  id: idSchema,
  /** empty: named by its letter */
  label: z.string().refine((label) => label.length <= caps.label, { message: tooLong(caps.label) }),
  percent: z.int().min(0).max(100),
})

export const abSplitSchema = z.strictObject({
  paths: z
    .array(pathSchema)
    .min(PATHS.min)
    .max(PATHS.max)
    .superRefine((paths, issues) => {
      const sum = sumOf(paths)
      if (sum !== 100) issues.addIssue({ code: 'custom', path: [], message: `Must add up to 100 %, not ${sum} %` })
      const names = paths.map(nameOf)
      for (const [index, name] of names.entries())
        if (names.indexOf(name) < index)
          issues.addIssue({ code: 'custom', path: [index, 'label'], message: 'Another path already has this name' })
    }),
  /** stores the path's name, so that a returning visitor takes the same one */
  saveTo: idSchema.nullable(),
})
export type SplitPath = z.infer<typeof pathSchema>
export type AbSplitData = z.infer<typeof abSplitSchema>

export const sumOf = (paths: readonly SplitPath[]): number => paths.reduce((sum, { percent }) => sum + percent, 0)

/** A path's name, in the flow and in the variable. */
export const nameOf = ({ label }: SplitPath, index: number): string => label.trim() || String.fromCharCode(65 + index)

/** Even integer percentages for a number of paths. */
export const evenly = (count: number): number[] =>
  Array.from({ length: count }, (_, n) => Math.floor(100 / count) + (n < 100 % count ? 1 : 0))

export const abSplitDefaults = (id: () => string): AbSplitData => ({
  paths: [
    { id: id(), label: '', percent: 50 },
    { id: id(), label: '', percent: 50 },
  ],
  saveTo: null,
})
