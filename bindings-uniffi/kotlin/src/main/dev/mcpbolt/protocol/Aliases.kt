@file:Suppress("FunctionName")

package dev.mcpbolt

import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

// Names of the official package for what is one type here. Must not know: what they are used for.

/** The id of a request: a text or a whole number. */
public typealias RequestId = JsonPrimitive

/** What progress reports name their request by: a text or a whole number. */
public typealias ProgressToken = JsonPrimitive

/** A result of a request; see [Record]. */
public typealias RequestResult = Record

/** Content of sampling messages; see [ContentBlock]. */
public typealias SamplingMessageContent = ContentBlock

/** Content that is text, an image or sound; see [ContentBlock]. */
public typealias MediaContent = ContentBlock

/** A field of a form; see [FieldSchema]. */
public typealias PrimitiveSchemaDefinition = FieldSchema

/** The format of a text in a form; see [StringFormat]. */
public typealias StringSchemaFormat = StringFormat

/** A report of progress; see [ProgressNotificationParams]. */
public typealias Progress = ProgressNotificationParams

/** An id that is a text. */
public fun RequestId(value: String): RequestId = JsonPrimitive(value)

/** An id that is a number. */
public fun RequestId(value: Long): RequestId = JsonPrimitive(value)

/** A token that is a text. */
public fun ProgressToken(value: String): ProgressToken = JsonPrimitive(value)

/** A token that is a number. */
public fun ProgressToken(value: Long): ProgressToken = JsonPrimitive(value)

/** Params of a question with a form; see [ElicitRequestFormParams]. */
public fun ElicitRequestParams(message: String, requestedSchema: FormSchema, meta: JsonObject? = null): ElicitRequestFormParams =
    ElicitRequestFormParams(message = message, requestedSchema = requestedSchema, meta = meta)
