// Schemas of the protocol inside schemas of the program's own. It compiles with this package
// and, with its import lines changed, with the official one.
import { CallToolResultSchema, EmptyResultSchema, LoggingLevelSchema, RequestIdSchema, ToolSchema, type CallToolResult, type LoggingLevel, type Tool } from 'mcpbolt/types.js';
import * as z from 'zod';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
const same = <A, B>(_yes: Same<A, B>): void => undefined;

const Page = z.object({
  tools: z.array(ToolSchema),
  levels: z.record(z.string(), LoggingLevelSchema),
  id: RequestIdSchema,
  last: CallToolResultSchema.optional(),
  first: z.optional(CallToolResultSchema),
});
type Page = z.infer<typeof Page>;
same<Page['tools'], Tool[]>(true);
same<Page['levels'], Record<string, LoggingLevel>>(true);
same<Page['last'], CallToolResult | undefined>(true);
same<Page['first'], CallToolResult | undefined>(true);
same<undefined extends Page['id'] ? true : false, false>(true);
const page: Page = { tools: [], levels: {}, id: 1, last: undefined };

const Either = z.union([CallToolResultSchema, EmptyResultSchema]);
const fits = (schema: z.ZodTypeAny, value: unknown): boolean => schema.safeParse(value).success;
const outputOf = <S extends z.ZodType>(schema: S, value: unknown): z.infer<S> => schema.parse(value) as z.infer<S>;
console.error(Page.safeParse(page), fits(Either, {}), outputOf(Page, page).tools.length);

const Strict = ToolSchema.extend({ price: z.number() });
same<z.infer<typeof Strict>['price'], number>(true);
same<z.infer<typeof Strict>['name'], string>(true);
const Named = ToolSchema.pick({ name: true, title: true });
same<z.infer<typeof Named>['name'], string>(true);
