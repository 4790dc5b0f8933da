import { z } from 'zod'

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

export const jsonSchema: z.ZodType<Json> = z.json() as z.ZodType<Json>
